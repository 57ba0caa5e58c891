// expect: holds
// lockInterruptibly gives up when the thread is interrupted.
import java.util.concurrent.locks.ReentrantLock;

public class LockInterrupted {
    public static void main(String[] args) throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        Thread other = new Thread(() -> {
            try {
                lock.lockInterruptibly();
                assert false : "nobody gave it back";
            } catch (InterruptedException e) {
                assert !lock.isHeldByCurrentThread();
            }
        });
        other.start();
        other.interrupt();
        other.join();
        lock.unlock();
    }
}
