// expect: holds
// A ReentrantLock around an addition.
import java.util.concurrent.locks.ReentrantLock;

public class ReentrantCounter {
    static int count;

    public static void main(String[] args) throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Runnable add = () -> {
            lock.lock();
            try {
                count++;
            } finally {
                lock.unlock();
            }
        };
        Thread other = new Thread(add);
        other.start();
        add.run();
        other.join();
        assert count == 2;
    }
}
