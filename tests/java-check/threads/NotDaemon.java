// expect: deadlock
// A thread that is no daemon waits for ever.
public class NotDaemon {
    public static void main(String[] args) {
        Object lock = new Object();
        new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait(); // <- deadlock
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }).start();
    }
}
