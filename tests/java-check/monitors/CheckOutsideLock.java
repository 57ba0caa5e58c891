// expect: deadlock
// The condition is looked at before the lock is taken: the notification comes in between.
public class CheckOutsideLock {
    static final Object lock = new Object();
    static volatile boolean isDone;

    public static void main(String[] args) throws InterruptedException {
        new Thread(() -> {
            isDone = true;
            synchronized (lock) {
                lock.notifyAll();
            }
        }).start();
        if (!isDone) {
            synchronized (lock) {
                lock.wait(); // <- deadlock
            }
        }
    }
}
