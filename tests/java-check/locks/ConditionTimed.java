// expect: assertion
// A time limit on a condition may end before the signal.
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class ConditionTimed {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition changed = lock.newCondition();
    static boolean isDone;

    public static void main(String[] args) throws InterruptedException {
        new Thread(() -> {
            lock.lock();
            isDone = true;
            changed.signalAll();
            lock.unlock();
        }).start();
        lock.lock();
        if (!isDone) changed.await(1, TimeUnit.SECONDS);
        assert isDone : "too late"; // <- assertion
        lock.unlock();
    }
}
