// expect: holds
// A latch orders what was done before it opened.
import java.util.concurrent.CountDownLatch;
public class LatchOpened {
  static int x;
  public static void main(String[] a) throws Exception {
    CountDownLatch l = new CountDownLatch(1);
    new Thread(() -> { x = 1; l.countDown(); }).start();
    l.await();
    assert x == 1;
  }
}
