// expect: holds
// An interrupted wait ends the thread's work.
public class InterruptedWaitMended {
    static final Object lock = new Object();
    static boolean isReady;

    public static void main(String[] args) throws InterruptedException {
        Thread waiting = new Thread(() -> {
            synchronized (lock) {
                try {
                    while (!isReady) lock.wait();
                } catch (InterruptedException e) {
                    return;
                }
                assert isReady : "not ready";
            }
        });
        waiting.start();
        waiting.interrupt();
        synchronized (lock) {
            isReady = true;
            lock.notify();
        }
        waiting.join();
    }
}
