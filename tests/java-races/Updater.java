// expect: assertion
// A field updater has weaker modes, too: both threads may read 0.
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

public class Updater {
    static final AtomicIntegerFieldUpdater<Updater> FIRST =
        AtomicIntegerFieldUpdater.newUpdater(Updater.class, "first");
    static final AtomicIntegerFieldUpdater<Updater> SECOND =
        AtomicIntegerFieldUpdater.newUpdater(Updater.class, "second");
    volatile int first;
    volatile int second;
    int seen;

    public static void main(String[] args) throws InterruptedException {
        Updater it = new Updater();
        Thread other = new Thread(() -> {
            FIRST.lazySet(it, 1);
            it.seen = it.second;
        });
        other.start();
        SECOND.lazySet(it, 1);
        int seen = it.first;
        other.join();
        assert seen != 0 || it.seen != 0;
    }
}
