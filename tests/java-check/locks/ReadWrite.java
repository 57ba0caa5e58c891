// expect: holds
// A reader sees what a writer wrote, or nothing of it.
import java.util.concurrent.locks.*;
public class ReadWrite {
  static int x, y;
  public static void main(String[] a) throws Exception {
    ReentrantReadWriteLock l = new ReentrantReadWriteLock();
    Thread t = new Thread(() -> { l.writeLock().lock(); x++; y++; l.writeLock().unlock(); }); t.start();
    l.readLock().lock(); assert x == y; l.readLock().unlock(); t.join();
  }
}
