// expect: deadlock
// A stamped lock is not reentrant.
import java.util.concurrent.locks.StampedLock;

public class StampedNotReentrant {
    static final StampedLock lock = new StampedLock();

    static void twice() {
        long outer = lock.writeLock(); // <- deadlock
        long inner = lock.writeLock(); // <- deadlock
        lock.unlockWrite(inner);
        lock.unlockWrite(outer);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(StampedNotReentrant::twice);
        other.start();
        other.join(); // <- deadlock
    }
}
