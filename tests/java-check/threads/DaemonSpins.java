// expect: holds
// A daemon that never ends.
public class DaemonSpins {
  static volatile int n;
  public static void main(String[] a) throws Exception {
    Thread t = new Thread(() -> { while (true) n = 1 - n; }); t.setDaemon(true); t.start();
    System.out.println(n);
  }
}
