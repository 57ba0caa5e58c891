// expect: holds
// tryLock for the second lock: no deadlock, whatever the order.
import java.util.concurrent.locks.ReentrantLock;

public class TryLockOrder {
    static final ReentrantLock a = new ReentrantLock(), b = new ReentrantLock();
    static int both;

    static void work(ReentrantLock first, ReentrantLock second) {
        first.lock();
        try {
            if (second.tryLock()) {
                both++;
                second.unlock();
            }
        } finally {
            first.unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> work(b, a));
        other.start();
        work(a, b);
        other.join();
        assert both <= 2;
    }
}
