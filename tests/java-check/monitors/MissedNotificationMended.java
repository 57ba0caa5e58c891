// expect: holds
// What is notified is also remembered, so that no notification can be missed.
public class MissedNotificationMended {
    static final Object lock = new Object();
    static boolean isDone;

    public static void main(String[] args) throws InterruptedException {
        new Thread(() -> {
            synchronized (lock) {
                isDone = true;
                lock.notify();
            }
        }).start();
        synchronized (lock) {
            while (!isDone) lock.wait();
        }
    }
}
