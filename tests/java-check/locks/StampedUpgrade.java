// expect: holds
// A stamped read lock is upgraded if nobody else reads.
import java.util.concurrent.locks.StampedLock;

public class StampedUpgrade {
    static final StampedLock lock = new StampedLock();
    static int value;

    static void raise() {
        long stamp = lock.readLock();
        while (value == 0) {
            long upgraded = lock.tryConvertToWriteLock(stamp);
            if (upgraded != 0) {
                stamp = upgraded;
                value++;
            } else {
                lock.unlockRead(stamp);
                stamp = lock.writeLock();
            }
        }
        lock.unlock(stamp);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(StampedUpgrade::raise);
        other.start();
        raise();
        other.join();
        assert value == 1 : value;
    }
}
