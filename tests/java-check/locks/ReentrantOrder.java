// expect: deadlock
// Two ReentrantLocks are taken in opposite orders.
import java.util.concurrent.locks.ReentrantLock;

public class ReentrantOrder {
    public static void main(String[] args) throws InterruptedException {
        ReentrantLock a = new ReentrantLock();
        ReentrantLock b = new ReentrantLock();
        Thread other = new Thread(() -> {
            b.lock();
            a.lock(); // <- deadlock
            a.unlock();
            b.unlock();
        });
        other.start();
        a.lock();
        b.lock(); // <- deadlock
        b.unlock();
        a.unlock();
        other.join(); // <- deadlock
    }
}
