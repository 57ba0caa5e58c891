// expect: holds
// A worker that fails counts down all the same.
import java.util.concurrent.CountDownLatch;

public class LatchInFinally {
    public static void main(String[] args) throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(2);
        for (String text : new String[] { "1", "x" }) {
            new Thread(() -> {
                try {
                    Integer.parseInt(text);
                } catch (NumberFormatException e) {
                    assert text.equals("x");
                } finally {
                    latch.countDown();
                }
            }).start();
        }
        latch.await();
        assert latch.getCount() == 0;
    }
}
