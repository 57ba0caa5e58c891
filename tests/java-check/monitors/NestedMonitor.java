// expect: deadlock
// Nested monitor lockout: the waiter keeps the outer lock that the notifier needs.
public class NestedMonitor {
    static final Object outer = new Object(), inner = new Object();
    static boolean isReady;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (outer) { // <- deadlock
                synchronized (inner) {
                    isReady = true;
                    inner.notify();
                }
            }
        });
        other.start();
        synchronized (outer) {
            synchronized (inner) {
                while (!isReady) inner.wait(); // <- deadlock
            }
        }
        other.join();
    }
}
