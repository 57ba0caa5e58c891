// expect: deadlock
// Whoever waits for a century at the most waits for ever.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

class AwaitForEver {
    public static void main(String[] args) throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(2);
        new Thread(latch::countDown).start();
        latch.await(Long.MAX_VALUE, TimeUnit.NANOSECONDS); // <- deadlock
    }
}
