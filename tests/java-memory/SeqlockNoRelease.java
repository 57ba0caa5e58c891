// expect: assertion
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

/** Readers that look before and behind whether somebody was writing. */
public class SeqlockNoRelease {
    static final AtomicInteger sequence = new AtomicInteger();
    static final AtomicInteger x = new AtomicInteger(), y = new AtomicInteger();

    static void write(int value) {
        int before = sequence.getPlain();
        sequence.setOpaque(before + 1);
        x.setOpaque(value);
        y.setOpaque(value);
        sequence.setRelease(before + 2);
    }

    public static void main(String[] args) {
        new Thread(() -> write(1)).start();
        int before = sequence.getAcquire();
        int a = x.getOpaque();
        int b = y.getOpaque();
        VarHandle.acquireFence();
        int after = sequence.getOpaque();
        if (before == after && before % 2 == 0) {
            assert a == b : "half of a write";
        }
    }
}
