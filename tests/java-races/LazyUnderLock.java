// expect: holds
// Under a lock the mode of an access makes no difference.
import java.util.concurrent.atomic.AtomicInteger;

public class LazyUnderLock {
    static final AtomicInteger COUNT = new AtomicInteger();
    static int data;

    static synchronized void add() {
        COUNT.lazySet(COUNT.getPlain() + 1);
        data++;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(LazyUnderLock::add);
        other.start();
        add();
        other.join();
        assert COUNT.getOpaque() == 2 && data == 2;
    }
}
