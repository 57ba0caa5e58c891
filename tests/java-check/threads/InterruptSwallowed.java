// expect: deadlock
// Whoever swallows an interrupt waits for one that does not come again.
public class InterruptSwallowed {
    static final Object lock = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    // Swallowed.
                }
                try {
                    lock.wait(); // <- deadlock
                } catch (InterruptedException e) {
                    assert false;
                }
            }
        });
        other.start();
        other.interrupt();
        other.join(); // <- deadlock
    }
}
