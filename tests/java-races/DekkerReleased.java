// expect: assertion
// Release and acquire do not order a write before a read of another variable: both may read 0.
import java.util.concurrent.atomic.AtomicInteger;

public class DekkerReleased {
    static final AtomicInteger X = new AtomicInteger();
    static final AtomicInteger Y = new AtomicInteger();
    static int r1;
    static int r2;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            X.setRelease(1);
            r1 = Y.getAcquire();
        });
        other.start();
        Y.setRelease(1);
        r2 = X.getAcquire();
        other.join();
        assert r1 != 0 || r2 != 0;
    }
}
