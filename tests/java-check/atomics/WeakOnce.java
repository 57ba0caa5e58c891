// expect: assertion
// Two threads try once each: one of them succeeds, unless its weak compareAndSet fails.
import java.util.concurrent.atomic.AtomicBoolean;

public class WeakOnce {
    static final AtomicBoolean TAKEN = new AtomicBoolean();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> TAKEN.weakCompareAndSetVolatile(false, true));
        other.start();
        TAKEN.weakCompareAndSetVolatile(false, true);
        other.join();
        assert TAKEN.get(); // <- assertion
    }
}
