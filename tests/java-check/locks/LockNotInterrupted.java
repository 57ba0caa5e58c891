// expect: deadlock
// lock does not give up when the thread is interrupted.
import java.util.concurrent.locks.ReentrantLock;

public class LockNotInterrupted {
    public static void main(String[] args) throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        Thread other = new Thread(lock::lock); // <- deadlock
        other.start();
        other.interrupt();
        other.join(); // <- deadlock
    }
}
