// any: holds
public class Buffer {
    static final int CAPACITY = 3;
    private int count;

    synchronized void put() throws InterruptedException {
        while (count == CAPACITY) wait();
        count++;
        assert count <= CAPACITY;
        notifyAll();
    }

    synchronized void take() throws InterruptedException {
        while (count == 0) wait();
        count--;
        assert count >= 0;
        notifyAll();
    }

    static class Producer implements Runnable {
        private final Buffer buffer;

        Producer(Buffer buffer) {
            this.buffer = buffer;
        }

        public void run() {
            try {
                while (true) buffer.put();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static class Consumer implements Runnable {
        private final Buffer buffer;

        Consumer(Buffer buffer) {
            this.buffer = buffer;
        }

        public void run() {
            try {
                while (true) buffer.take();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] args) {
        Buffer buffer = new Buffer();
        for (int i = 0; i < 2; i++) {
            new Thread(new Producer(buffer)).start();
            new Thread(new Consumer(buffer)).start();
        }
    }
}
