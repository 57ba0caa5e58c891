// expect: holds
// A field updater makes an int field atomic.
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

public class IntegerUpdater {
    volatile int count;
    static final AtomicIntegerFieldUpdater<IntegerUpdater> COUNT =
            AtomicIntegerFieldUpdater.newUpdater(IntegerUpdater.class, "count");

    public static void main(String[] args) throws InterruptedException {
        IntegerUpdater it = new IntegerUpdater();
        Thread other = new Thread(() -> COUNT.incrementAndGet(it));
        other.start();
        COUNT.incrementAndGet(it);
        other.join();
        assert it.count == 2;
    }
}
