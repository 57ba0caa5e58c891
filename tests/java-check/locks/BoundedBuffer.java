// expect: holds
// A buffer of one place with two conditions.
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class BoundedBuffer {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition full = lock.newCondition(), empty = lock.newCondition();
    static Integer item;

    static void put(int value) {
        lock.lock();
        while (item != null) empty.awaitUninterruptibly();
        item = value;
        full.signal();
        lock.unlock();
    }

    static int take() {
        lock.lock();
        while (item == null) full.awaitUninterruptibly();
        int taken = item;
        item = null;
        empty.signal();
        lock.unlock();
        return taken;
    }

    public static void main(String[] args) {
        new Thread(() -> {
            put(1);
            put(2);
        }).start();
        int sum = take();
        sum += 10 * take();
        assert sum == 21 : sum;
    }
}
