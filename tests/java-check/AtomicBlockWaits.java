// expect: holds
// Where an atomic block has to wait, others go on; what comes after that is in one step again.
import raddle.Check;

public class AtomicBlockWaits {
    static final Object lock = new Object();
    static boolean isReady;
    static int x;

    static void await() {
        synchronized (lock) {
            while (!isReady) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    return;
                }
            }
            x = 5;
            x = 0;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(() -> Check.atomic(() -> await()));
        other.start();
        synchronized (lock) {
            isReady = true;
            lock.notify();
        }
        assert x == 0;
        other.join();
    }
}
