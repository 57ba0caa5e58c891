// expect: assertion
import java.util.concurrent.atomic.AtomicInteger;

/** Peterson's algorithm for two threads, which count together. */
public class PetersonRelease {
    static final AtomicInteger[] wants = {new AtomicInteger(), new AtomicInteger()};
    static final AtomicInteger turn = new AtomicInteger();
    static int count;

    static void run(int me) {
        wants[me].setRelease(1);
        turn.setRelease(1 - me);
        while (wants[1 - me].getAcquire() == 1 && turn.getAcquire() == 1 - me) {
            Thread.onSpinWait();
        }
        count++;
        wants[me].setRelease(0);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> run(1));
        other.start();
        run(0);
        other.join();
        assert count == 2 : "an increment is lost";
    }
}
