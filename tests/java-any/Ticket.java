// any: holds
import java.util.concurrent.atomic.AtomicInteger;

public class Ticket {
    static final AtomicInteger next = new AtomicInteger();
    static volatile int serving;
    static final AtomicInteger inside = new AtomicInteger();

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                while (true) {
                    int my = next.getAndIncrement();
                    while (serving != my) Thread.onSpinWait();
                    assert inside.incrementAndGet() == 1;
                    inside.decrementAndGet();
                    serving = serving + 1;
                }
            }).start();
        }
    }
}
