// expect: illegal-monitor-state
// A thread gives back a lock that it has not got, if tryLock failed.
import java.util.concurrent.locks.ReentrantLock;

public class UnlockNotOwned {
    static final ReentrantLock lock = new ReentrantLock();

    static void work() {
        lock.tryLock();
        lock.unlock(); // <- illegal-monitor-state
    }

    public static void main(String[] args) {
        new Thread(UnlockNotOwned::work).start();
        work();
    }
}
