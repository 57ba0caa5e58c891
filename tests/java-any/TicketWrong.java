// any: violated 2
import java.util.concurrent.atomic.AtomicInteger;

public class TicketWrong {
    static volatile int next;
    static volatile int serving;
    static final AtomicInteger inside = new AtomicInteger();

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                while (true) {
                    int my = next;
                    next = my + 1;
                    while (serving != my) Thread.onSpinWait();
                    assert inside.incrementAndGet() == 1;
                    inside.decrementAndGet();
                    serving = serving + 1;
                }
            }).start();
        }
    }
}
