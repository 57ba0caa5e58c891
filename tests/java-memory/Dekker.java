// expect: holds
import java.util.concurrent.atomic.AtomicInteger;

/** Each of two threads says that it wants to go in, and looks whether the other one does. */
public class Dekker {
    static final AtomicInteger wantsA = new AtomicInteger(), wantsB = new AtomicInteger();
    static int seenByA = -1, seenByB = -1;

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> {
            wantsA.set(1);
            seenByA = wantsB.get();
        });
        Thread b = new Thread(() -> {
            wantsB.set(1);
            seenByB = wantsA.get();
        });
        a.start();
        b.start();
        a.join();
        b.join();
        assert seenByA == 1 || seenByB == 1 : "both go in";
    }
}
