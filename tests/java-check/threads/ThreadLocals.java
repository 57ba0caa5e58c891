// expect: holds
// Each thread has its own object.
public class ThreadLocals {
  static final ThreadLocal<int[]> t = ThreadLocal.withInitial(() -> new int[1]);
  public static void main(String[] a) throws Exception {
    Runnable r = () -> { t.get()[0]++; assert t.get()[0] == 1; };
    Thread x = new Thread(r); x.start(); r.run(); x.join();
  }
}
