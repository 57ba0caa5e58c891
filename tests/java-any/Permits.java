// any: holds
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

public class Permits {
    static final Semaphore permits = new Semaphore(2);
    static final AtomicInteger inside = new AtomicInteger();

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            new Thread(() -> {
                try {
                    while (true) {
                        permits.acquire();
                        assert inside.incrementAndGet() <= 2;
                        inside.decrementAndGet();
                        permits.release();
                    }
                } catch (InterruptedException e) {
                    return;
                }
            }).start();
        }
    }
}
