// expect: holds
import java.util.concurrent.atomic.AtomicInteger;

/** A compare-and-set stands right behind what it reads: only one of two succeeds. */
public class OldFailed {
    static final AtomicInteger x = new AtomicInteger(), won = new AtomicInteger();

    static void race() {
        if (x.weakCompareAndSetPlain(0, 1)) {
            won.getAndIncrement();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(OldFailed::race);
        other.start();
        race();
        other.join();
        assert won.get() <= 1;
    }
}
