// expect: holds
import java.util.concurrent.atomic.AtomicInteger;

import java.util.concurrent.Semaphore;

/** The library orders what is done before and after its operations. */
public class OldThroughLibrary {
    static final AtomicInteger x = new AtomicInteger();
    static final Semaphore permits = new Semaphore(0);

    public static void main(String[] args) {
        new Thread(() -> {
            x.setOpaque(1);
            permits.release();
        }).start();
        int seen = x.getOpaque();
        if (permits.tryAcquire()) {
            assert x.getOpaque() == 1 && seen <= 1;
        }
    }
}
