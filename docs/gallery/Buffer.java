/** A buffer for one element, with one monitor for those who put and those who take. */
final class Buffer {
    private boolean isFull;

    synchronized void put() throws InterruptedException {
        while (isFull) {
            wait();
        }
        isFull = true;
        notify();
    }

    synchronized void take() throws InterruptedException {
        while (!isFull) {
            wait();
        }
        isFull = false;
        notify();
    }

    public static void main(String[] arguments) {
        Buffer buffer = new Buffer();
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                try { buffer.put(); } catch (InterruptedException never) { }
            }, "producer " + i).start();
            new Thread(() -> {
                try { buffer.take(); } catch (InterruptedException never) { }
            }, "consumer " + i).start();
        }
    }
}
