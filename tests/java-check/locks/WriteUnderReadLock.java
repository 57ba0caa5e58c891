// expect: assertion
// A read lock does not keep two writers apart.
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class WriteUnderReadLock {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static int count;

    static void add() {
        lock.readLock().lock();
        count++;
        lock.readLock().unlock();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(WriteUnderReadLock::add);
        other.start();
        add();
        other.join();
        assert count == 2 : count; // <- assertion
    }
}
