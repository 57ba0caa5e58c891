// expect: assertion
// tryLock with a time limit may fail.
import java.util.concurrent.*; import java.util.concurrent.locks.*;
public class TimedTryLock {
  public static void main(String[] a) throws Exception {
    ReentrantLock l = new ReentrantLock();
    Thread t = new Thread(() -> { l.lock(); l.unlock(); }); t.start();
    boolean got = l.tryLock(1, TimeUnit.SECONDS); assert got; l.unlock(); t.join(); // <- assertion
  }
}
