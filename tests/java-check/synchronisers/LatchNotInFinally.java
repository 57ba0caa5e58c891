// expect: deadlock
// A worker that fails does not count down.
import java.util.concurrent.CountDownLatch;

public class LatchNotInFinally {
    public static void main(String[] args) throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(2);
        for (String text : new String[] { "1", "x" }) {
            new Thread(() -> {
                try {
                    Integer.parseInt(text);
                    latch.countDown();
                } catch (NumberFormatException e) {
                    // Nobody hears of it.
                }
            }).start();
        }
        latch.await(); // <- deadlock
    }
}
