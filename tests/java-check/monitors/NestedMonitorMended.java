// expect: holds
// The lock that is waited on is the only one that is held.
public class NestedMonitorMended {
    static final Object outer = new Object(), inner = new Object();
    static boolean isReady;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (outer) {
                synchronized (inner) {
                    isReady = true;
                    inner.notify();
                }
            }
        });
        other.start();
        synchronized (inner) {
            while (!isReady) inner.wait();
        }
        other.join();
    }
}
