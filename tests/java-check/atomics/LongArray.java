// expect: assertion
// get and set of an element of an AtomicLongArray are two operations.
import java.util.concurrent.atomic.AtomicLongArray;

public class LongArray {
    public static void main(String[] args) throws InterruptedException {
        AtomicLongArray counts = new AtomicLongArray(1);
        Thread other = new Thread(() -> counts.set(0, counts.get(0) + 1));
        other.start();
        counts.set(0, counts.get(0) + 1);
        other.join();
        assert counts.get(0) == 2; // <- assertion
    }
}
