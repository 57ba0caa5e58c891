// expect: holds
// A lock is given back in `finally`.
import java.util.concurrent.locks.ReentrantLock;

public class ForgottenUnlockMended {
    static final ReentrantLock lock = new ReentrantLock();
    static int value;

    static void add(int amount) {
        lock.lock();
        try {
            if (amount == 0) return;
            value += amount;
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> add(0));
        other.start();
        add(1);
        other.join();
        assert value == 1;
    }
}
