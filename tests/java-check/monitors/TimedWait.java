// expect: assertion
// A timed wait may end before the notification.
public class TimedWait {
    static boolean isReady;
    static final Object lock = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (lock) {
                isReady = true;
                lock.notifyAll();
            }
        });
        other.start();
        synchronized (lock) {
            if (!isReady) lock.wait(1000);
            assert isReady : "the time was over"; // <- assertion
        }
        other.join();
    }
}
