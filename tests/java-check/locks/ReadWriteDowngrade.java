// expect: holds
// A write lock can become a read lock.
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class ReadWriteDowngrade {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static int value;

    static void update() {
        lock.writeLock().lock();
        int mine = ++value;
        lock.readLock().lock();
        lock.writeLock().unlock();
        assert value == mine;
        lock.readLock().unlock();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(ReadWriteDowngrade::update);
        other.start();
        update();
        other.join();
        assert value == 2;
    }
}
