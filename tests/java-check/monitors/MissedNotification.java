// expect: deadlock
// A notification that nobody waits for yet is gone.
public class MissedNotification {
    static final Object lock = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread waiting = new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait(); // <- deadlock
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        waiting.start();
        synchronized (lock) {
            lock.notify();
        }
        waiting.join(); // <- deadlock
    }
}
