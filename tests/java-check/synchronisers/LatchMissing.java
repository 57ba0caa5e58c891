// expect: deadlock
// A latch for two that is counted down once.
import java.util.concurrent.CountDownLatch;
public class LatchMissing {
  public static void main(String[] a) throws Exception {
    CountDownLatch l = new CountDownLatch(2);
    new Thread(() -> { l.countDown(); }).start();
    l.await(); // <- deadlock
  }
}
