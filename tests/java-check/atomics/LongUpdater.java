// expect: holds
// A field updater makes a long field atomic.
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

public class LongUpdater {
    volatile long count;
    static final AtomicLongFieldUpdater<LongUpdater> COUNT =
            AtomicLongFieldUpdater.newUpdater(LongUpdater.class, "count");

    public static void main(String[] args) throws InterruptedException {
        LongUpdater it = new LongUpdater();
        Thread other = new Thread(() -> COUNT.addAndGet(it, 5));
        other.start();
        COUNT.addAndGet(it, 6);
        other.join();
        assert it.count == 11;
    }
}
