// expect: assertion
// An update in acquire mode releases nothing: what was written before may not be seen.
import java.util.concurrent.atomic.AtomicInteger;

public class HalfOrdered {
    static final AtomicInteger READY = new AtomicInteger();
    static int data;

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            data = 9;
            READY.weakCompareAndSetAcquire(0, 1);
        });
        other.start();
        if (READY.getAcquire() == 1) {
            assert data == 9;
        }
    }
}
