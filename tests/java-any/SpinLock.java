// any: holds
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

public class SpinLock {
    static final AtomicBoolean held = new AtomicBoolean();
    static final AtomicInteger inside = new AtomicInteger();

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                while (true) {
                    while (!held.compareAndSet(false, true)) Thread.onSpinWait();
                    assert inside.incrementAndGet() == 1;
                    inside.decrementAndGet();
                    held.set(false);
                }
            }).start();
        }
    }
}
