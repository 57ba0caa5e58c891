// expect: deadlock
import java.util.concurrent.locks.ReentrantLock;

/** A signal that was given before somebody waits for it. */
public class Condition {
    static final ReentrantLock lock = new ReentrantLock();
    static final java.util.concurrent.locks.Condition notEmpty = lock.newCondition();

    public static void main(String[] args) throws InterruptedException {
        new Thread(() -> {
            lock.lock();
            notEmpty.signal();
            lock.unlock();
        }).start();
        lock.lock();
        notEmpty.await();
        lock.unlock();
    }
}
