// expect: holds
import java.util.concurrent.atomic.AtomicInteger;

/** A compare-and-set stands right behind what it reads: only one of two succeeds. */
public class OldFailed {
    static final AtomicInteger x = new AtomicInteger();
    static boolean other, mine;

    public static void main(String[] args) throws InterruptedException {
        Thread thread = new Thread(() -> other = x.weakCompareAndSetPlain(0, 1));
        thread.start();
        mine = x.weakCompareAndSetPlain(0, 1);
        thread.join();
        assert !(other && mine);
    }
}
