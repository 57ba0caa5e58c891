// expect: holds
public class DaemonField {
  // Fields with the names of some of the library's own, which say whether a thread is a daemon.
  static class Waiter extends Thread {
    boolean daemon;
    Object holder;
    public void run() {
      synchronized (this) {
        while (true) { try { wait(); } catch (InterruptedException e) { } }
      }
    }
  }
  public static void main(String[] a) {
    Waiter waiter = new Waiter();
    waiter.setDaemon(true);
    waiter.start();
  }
}
