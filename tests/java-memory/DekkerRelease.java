// expect: assertion
import java.util.concurrent.atomic.AtomicInteger;

/** Each of two threads says that it wants to go in, and looks whether the other one does. */
public class DekkerRelease {
    static final AtomicInteger wantsA = new AtomicInteger(), wantsB = new AtomicInteger();
    static int seenByA = -1, seenByB = -1;

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> {
            wantsA.setRelease(1);
            seenByA = wantsB.getAcquire();
        });
        Thread b = new Thread(() -> {
            wantsB.setRelease(1);
            seenByB = wantsA.getAcquire();
        });
        a.start();
        b.start();
        a.join();
        b.join();
        assert seenByA == 1 || seenByB == 1 : "both go in";
    }
}
