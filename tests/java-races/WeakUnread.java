// expect: holds
// What only one thread accesses may be accessed in any mode.
import java.util.concurrent.atomic.AtomicInteger;

public class WeakUnread {
    static final AtomicInteger MINE = new AtomicInteger();
    static final AtomicInteger THEIRS = new AtomicInteger();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            THEIRS.setRelease(1);
            assert THEIRS.getOpaque() == 1;
        });
        other.start();
        MINE.lazySet(2);
        assert MINE.getPlain() == 2;
        other.join();
        assert THEIRS.getPlain() == 1;
    }
}
