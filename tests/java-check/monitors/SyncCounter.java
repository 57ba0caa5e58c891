// expect: holds
// A synchronized method that two threads call.
public class SyncCounter {
    private int count;

    synchronized void add() {
        count++;
    }

    public static void main(String[] args) throws InterruptedException {
        SyncCounter counter = new SyncCounter();
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> { counter.add(); counter.add(); });
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
        assert counter.count == 4;
    }
}
