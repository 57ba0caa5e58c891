// any: holds
// Wraps around: only the difference is larger.
import java.util.concurrent.atomic.AtomicInteger;

public class MonotoneAtomic {
    static final AtomicInteger x = new AtomicInteger();

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                while (true) {
                    int old = x.get();
                    x.incrementAndGet();
                    assert x.get() - old >= 1;
                }
            }).start();
        }
    }
}
