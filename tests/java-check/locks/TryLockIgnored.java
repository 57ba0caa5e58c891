// expect: assertion
// What tryLock says is ignored.
import java.util.concurrent.locks.ReentrantLock;

public class TryLockIgnored {
    static final ReentrantLock lock = new ReentrantLock();
    static int count;

    static void add() {
        boolean isMine = lock.tryLock();
        count++;
        if (isMine) lock.unlock();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(TryLockIgnored::add);
        other.start();
        add();
        other.join();
        assert count == 2 : count; // <- assertion
    }
}
