// expect: deadlock
// A signal that nobody waits for yet is gone.
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class ConditionMissed {
    public static void main(String[] args) {
        ReentrantLock lock = new ReentrantLock();
        Condition changed = lock.newCondition();
        new Thread(() -> {
            lock.lock();
            changed.signal();
            lock.unlock();
        }).start();
        lock.lock();
        changed.awaitUninterruptibly(); // <- deadlock
        lock.unlock();
    }
}
