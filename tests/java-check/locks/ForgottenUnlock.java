// expect: deadlock
// A lock is not given back on one way out.
import java.util.concurrent.locks.ReentrantLock;

public class ForgottenUnlock {
    static final ReentrantLock lock = new ReentrantLock();
    static int value;

    static void add(int amount) {
        lock.lock(); // <- deadlock
        if (amount == 0) return;
        value += amount;
        lock.unlock();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> add(0));
        other.start();
        add(1); // <- deadlock
        other.join();
    }
}
