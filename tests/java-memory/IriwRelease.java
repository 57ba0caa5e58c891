// expect: assertion
import java.util.concurrent.atomic.AtomicInteger;

/** Two readers of two independent writes agree on their order, or do not. */
public class IriwRelease {
    static final AtomicInteger x = new AtomicInteger(), y = new AtomicInteger();
    static int a, b, c, d;

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = {
            new Thread(() -> x.setRelease(1)),
            new Thread(() -> y.setRelease(1)),
            new Thread(() -> { a = x.getAcquire(); b = y.getAcquire(); }),
            new Thread(() -> { c = y.getAcquire(); d = x.getAcquire(); })
        };
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assert !(a == 1 && b == 0 && c == 1 && d == 0) : "the readers disagree";
    }
}
