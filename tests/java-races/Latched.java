// expect: holds
import java.util.concurrent.CountDownLatch;

public class Latched {
    static int value;

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            value = 3;
            latch.countDown();
        });
        other.start();
        latch.await();
        assert value == 3;
    }
}
