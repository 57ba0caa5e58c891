// expect: holds
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

/** Each of two threads says that it wants to go in, and looks whether the other one does. */
public class DekkerFence {
    static final AtomicInteger wantsA = new AtomicInteger(), wantsB = new AtomicInteger();
    static int seenByA = -1, seenByB = -1;

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> {
            wantsA.setOpaque(1);
            VarHandle.fullFence();
            seenByA = wantsB.getOpaque();
        });
        Thread b = new Thread(() -> {
            wantsB.setOpaque(1);
            VarHandle.fullFence();
            seenByB = wantsA.getOpaque();
        });
        a.start();
        b.start();
        a.join();
        b.join();
        assert seenByA == 1 || seenByB == 1 : "both go in";
    }
}
