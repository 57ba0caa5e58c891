// expect: holds
// race: ReadLocked.hits 12 write, 12 write
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class ReadLocked {
    static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();
    static int hits;

    static void look() {
        LOCK.readLock().lock();
        try {
            hits = 1;
        } finally {
            LOCK.readLock().unlock();
        }
    }

    public static void main(String[] args) {
        Thread other = new Thread(ReadLocked::look);
        other.start();
        look();
    }
}
