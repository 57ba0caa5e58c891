// expect: assertion
// An interrupted wait is taken for a notification.
public class InterruptedWait {
    static final Object lock = new Object();
    static boolean isReady;

    public static void main(String[] args) throws InterruptedException {
        Thread waiting = new Thread(() -> {
            synchronized (lock) {
                try {
                    while (!isReady) lock.wait();
                } catch (InterruptedException e) {
                    // Goes on as if nothing had happened.
                }
                assert isReady : "not ready"; // <- assertion
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
