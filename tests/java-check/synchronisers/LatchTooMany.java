// expect: assertion
// A latch is counted down by one thread twice, and opens too early.
import java.util.concurrent.CountDownLatch;

public class LatchTooMany {
    static volatile int done;

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(2);
        new Thread(() -> {
            latch.countDown();
            latch.countDown();
        }).start();
        new Thread(() -> {
            done = 1;
            latch.countDown();
        }).start();
        latch.await();
        assert done == 1; // <- assertion
    }
}
