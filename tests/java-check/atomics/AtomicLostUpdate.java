// expect: assertion
// get and set of an AtomicInteger are two operations.
import java.util.concurrent.atomic.AtomicInteger;

public class AtomicLostUpdate {
    public static void main(String[] args) throws InterruptedException {
        AtomicInteger count = new AtomicInteger();
        Thread other = new Thread(() -> count.set(count.get() + 1));
        other.start();
        count.set(count.get() + 1);
        other.join();
        assert count.get() == 2 : count; // <- assertion
    }
}
