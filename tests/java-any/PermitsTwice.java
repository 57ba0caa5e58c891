// any: violated 3
// Gives one permit back too often.
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

public class PermitsTwice {
    static final Semaphore permits = new Semaphore(1);
    static final AtomicInteger inside = new AtomicInteger();

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                try {
                    while (true) {
                        permits.acquire();
                        assert inside.incrementAndGet() <= 2;
                        inside.decrementAndGet();
                        permits.release();
                        permits.release();
                    }
                } catch (InterruptedException e) {
                    return;
                }
            }).start();
        }
    }
}
