// expect: unknown
// A field updater has weaker modes, too.
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

public class Updater {
    static final AtomicIntegerFieldUpdater<Updater> FIRST =
        AtomicIntegerFieldUpdater.newUpdater(Updater.class, "first");
    static final AtomicIntegerFieldUpdater<Updater> SECOND =
        AtomicIntegerFieldUpdater.newUpdater(Updater.class, "second");
    volatile int first;
    volatile int second;

    public static void main(String[] args) {
        Updater it = new Updater();
        new Thread(() -> {
            FIRST.lazySet(it, 1);
            SECOND.lazySet(it, 1);
        }).start();
        int second = it.second;
        assert second == 0 || it.first == 1;
    }
}
