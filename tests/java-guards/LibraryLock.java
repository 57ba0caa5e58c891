// expect: holds
import java.util.concurrent.locks.ReentrantLock;

/** A lock of the library is a guard like any other. */
public class LibraryLock {
    static final ReentrantLock LOCK = new ReentrantLock();
    static int first;
    static int second;

    static void add() {
        LOCK.lock();
        try {
            first++;
            second++;
            assert first == second;
        } finally {
            LOCK.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(LibraryLock::add);
        Thread b = new Thread(LibraryLock::add);
        a.start();
        b.start();
        a.join();
        b.join();
        assert first == 2;
    }
}
