// any: violated 2
import java.util.concurrent.atomic.AtomicInteger;

public class SpinLockWrong {
    static volatile boolean held;
    static final AtomicInteger inside = new AtomicInteger();

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                while (true) {
                    while (held) Thread.onSpinWait();
                    held = true;
                    assert inside.incrementAndGet() == 1;
                    inside.decrementAndGet();
                    held = false;
                }
            }).start();
        }
    }
}
