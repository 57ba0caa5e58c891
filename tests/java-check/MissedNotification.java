// expect: deadlock
public class MissedNotification {
    static final Object lock = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread waiting = new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        waiting.start();
        synchronized (lock) {
            lock.notify();
        }
        waiting.join();
    }
}
