// expect: holds
// An optimistic read is validated, and made again under the lock.
import java.util.concurrent.locks.StampedLock;

public class StampedOptimistic {
    static final StampedLock lock = new StampedLock();
    static int x, y;

    public static void main(String[] args) {
        new Thread(() -> {
            long stamp = lock.writeLock();
            x++;
            y++;
            lock.unlockWrite(stamp);
        }).start();
        long stamp = lock.tryOptimisticRead();
        int seenX = x, seenY = y;
        if (!lock.validate(stamp)) {
            stamp = lock.readLock();
            seenX = x;
            seenY = y;
            lock.unlockRead(stamp);
        }
        assert seenX == seenY;
    }
}
