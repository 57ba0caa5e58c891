// expect: holds
import java.util.concurrent.atomic.AtomicInteger;

import java.lang.invoke.VarHandle;

/** Fences make an acquire and a release of the opaque accesses beside them. */
public class OldFenced {
    static final AtomicInteger x = new AtomicInteger(), y = new AtomicInteger();

    public static void main(String[] args) {
        new Thread(() -> {
            x.setOpaque(1);
            VarHandle.releaseFence();
            y.setOpaque(1);
        }).start();
        int first = y.getOpaque();
        VarHandle.acquireFence();
        assert first <= x.getOpaque();
    }
}
