// expect: assertion
// An optimistic read is used without being validated.
import java.util.concurrent.locks.StampedLock;

public class StampedNotValidated {
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
        assert stamp == 0 || seenX == seenY; // <- assertion
    }
}
