// expect: holds
// A lock by compareAndSet.
import java.util.concurrent.atomic.AtomicBoolean;

public class SpinLock {
    static final AtomicBoolean lock = new AtomicBoolean();
    static int count;

    static void add() {
        while (!lock.compareAndSet(false, true)) Thread.onSpinWait();
        count++;
        lock.set(false);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(SpinLock::add);
        other.start();
        add();
        other.join();
        assert count == 2;
    }
}
