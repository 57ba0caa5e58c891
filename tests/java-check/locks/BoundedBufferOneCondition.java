// expect: deadlock
// A buffer with one condition and signal: the wrong thread is woken.
// slow
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class BoundedBufferOneCondition {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition changed = lock.newCondition();
    static int items;

    static void put() {
        lock.lock();
        while (items == 1) changed.awaitUninterruptibly(); // <- deadlock
        items++;
        changed.signal();
        lock.unlock();
    }

    static void take() {
        lock.lock();
        while (items == 0) changed.awaitUninterruptibly(); // <- deadlock
        items--;
        changed.signal();
        lock.unlock();
    }

    public static void main(String[] args) {
        new Thread(BoundedBufferOneCondition::take).start();
        new Thread(BoundedBufferOneCondition::take).start();
        put();
        put();
    }
}
