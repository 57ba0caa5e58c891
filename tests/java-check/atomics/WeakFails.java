// expect: assertion
// A weak compareAndSet may fail although nobody else is there.
import java.util.concurrent.atomic.AtomicInteger;

public class WeakFails {
    public static void main(String[] args) {
        AtomicInteger count = new AtomicInteger();
        assert count.weakCompareAndSetVolatile(0, 1); // <- assertion
    }
}
