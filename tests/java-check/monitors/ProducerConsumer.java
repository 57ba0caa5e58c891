// expect: holds
// A cell between a producer and a consumer.
public class ProducerConsumer {
    private int value;
    private boolean isFull;

    synchronized void put(int value) throws InterruptedException {
        while (isFull) wait();
        this.value = value;
        isFull = true;
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        while (!isFull) wait();
        isFull = false;
        notifyAll();
        return value;
    }

    public static void main(String[] args) throws InterruptedException {
        ProducerConsumer cell = new ProducerConsumer();
        Thread producer = new Thread(() -> {
            try {
                for (int i = 1; i <= 2; i++) cell.put(i);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        producer.start();
        int sum = cell.take() + cell.take();
        assert sum == 3 : sum;
        producer.join();
    }
}
