// expect: holds
import java.util.concurrent.atomic.AtomicInteger;

/** Peterson's algorithm for two threads, which count together. */
public class Peterson {
    static final AtomicInteger[] wants = {new AtomicInteger(), new AtomicInteger()};
    static final AtomicInteger turn = new AtomicInteger();
    static int count;

    static void run(int me) {
        wants[me].set(1);
        turn.set(1 - me);
        while (wants[1 - me].get() == 1 && turn.get() == 1 - me) {
            Thread.onSpinWait();
        }
        count++;
        wants[me].set(0);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> run(1));
        other.start();
        run(0);
        other.join();
        assert count == 2 : "an increment is lost";
    }
}
