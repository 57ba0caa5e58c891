// expect: holds
// A timed wait in a loop: a time-out alone does not let it go on.
public class TimedWaitMended {
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
            while (!isReady) lock.wait(1000);
            assert isReady;
        }
        other.join();
    }
}
