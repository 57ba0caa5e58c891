// expect: holds
// A fair lock keeps two threads apart.
import java.util.concurrent.locks.ReentrantLock;

public class FairLock {
    static final ReentrantLock lock = new ReentrantLock(true);
    static int count;

    static void add() {
        lock.lock();
        count++;
        lock.unlock();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(FairLock::add);
        other.start();
        add();
        other.join();
        assert count == 2 && !lock.isLocked();
    }
}
