// expect: assertion
// A time limit on a latch may end before it opens.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

public class LatchTimed {
    static volatile boolean isDone;

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        new Thread(() -> {
            isDone = true;
            latch.countDown();
        }).start();
        latch.await(1, TimeUnit.SECONDS);
        assert isDone; // <- assertion
    }
}
