// expect: holds
// A condition that is signalled and looked at in a loop.
import java.util.concurrent.locks.*;
public class ConditionSignal {
  static boolean ready;
  public static void main(String[] a) throws Exception {
    ReentrantLock l = new ReentrantLock(); Condition c = l.newCondition();
    Thread t = new Thread(() -> { l.lock(); try { ready = true; c.signal(); } finally { l.unlock(); } }); t.start();
    l.lock(); try { while (!ready) c.await(); } finally { l.unlock(); }
    t.join();
  }
}
