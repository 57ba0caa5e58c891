// any: violated 2
import java.util.concurrent.atomic.AtomicInteger;

public class RateLimiterWrong {
    static final AtomicInteger tokens = new AtomicInteger(1);

    static boolean tryAcquire() {
        if (tokens.get() == 0) return false;
        int left = tokens.decrementAndGet();
        assert left >= 0;
        return true;
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                while (true) {
                    if (tryAcquire()) tokens.incrementAndGet();
                }
            }).start();
        }
    }
}
