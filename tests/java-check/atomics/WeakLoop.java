// expect: holds
// A weak compareAndSet in a loop counts all, however often it fails.
import java.util.concurrent.atomic.AtomicLong;

public class WeakLoop {
    static final AtomicLong COUNT = new AtomicLong();

    static void add() {
        long old;
        do {
            old = COUNT.get();
        } while (!COUNT.weakCompareAndSetVolatile(old, old + 1));
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(WeakLoop::add);
        other.start();
        add();
        other.join();
        assert COUNT.get() == 2;
    }
}
