// expect: holds
// What await says is looked at.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

public class LatchTimedMended {
    static volatile boolean isDone;

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        new Thread(() -> {
            isDone = true;
            latch.countDown();
        }).start();
        if (latch.await(1, TimeUnit.SECONDS)) {
            assert isDone;
        }
    }
}
