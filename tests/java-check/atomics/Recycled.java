// expect: assertion
// A value comes back, and compareAndSet does not notice what happened in between.
import java.util.concurrent.atomic.AtomicInteger;

public class Recycled {
    static final AtomicInteger slot = new AtomicInteger(1);
    static volatile int changes;

    public static void main(String[] args) {
        new Thread(() -> {
            slot.set(2);
            changes++;
            slot.set(1);
        }).start();
        int before = changes;
        int seen = slot.get();
        if (slot.compareAndSet(seen, 3)) {
            assert changes == before; // <- assertion
        }
    }
}
