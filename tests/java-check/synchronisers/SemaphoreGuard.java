// expect: holds
// A semaphore as a lock.
import java.util.concurrent.Semaphore;
public class SemaphoreGuard {
  static int in;
  public static void main(String[] a) throws Exception {
    Semaphore s = new Semaphore(1);
    Runnable r = () -> { s.acquireUninterruptibly(); in++; assert in == 1; in--; s.release(); };
    Thread t = new Thread(r); t.start(); r.run(); t.join();
  }
}
