// expect: deadlock
// A read lock cannot become a write lock: two readers wait for each other.
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class ReadWriteUpgrade {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    static void update() {
        lock.readLock().lock(); // <- deadlock
        lock.writeLock().lock(); // <- deadlock
        lock.writeLock().unlock();
        lock.readLock().unlock();
    }

    public static void main(String[] args) {
        new Thread(ReadWriteUpgrade::update).start();
        update();
    }
}
