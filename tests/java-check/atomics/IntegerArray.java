// expect: holds
// Elements of an AtomicIntegerArray are counted up.
import java.util.concurrent.atomic.AtomicIntegerArray;

public class IntegerArray {
    public static void main(String[] args) throws InterruptedException {
        AtomicIntegerArray counts = new AtomicIntegerArray(2);
        Thread other = new Thread(() -> counts.incrementAndGet(1));
        other.start();
        counts.incrementAndGet(1);
        counts.incrementAndGet(0);
        other.join();
        assert counts.get(0) == 1 && counts.get(1) == 2;
    }
}
