// expect: holds
// A StringBuffer of two threads, printed with a format.
public class PrintedBuffer {
  public static void main(String[] a) throws Exception {
    StringBuffer b = new StringBuffer();
    Thread t = new Thread(() -> b.append("x")); t.start(); b.append("y"); t.join();
    assert b.length() == 2 : b; System.out.printf("%s %d%n", b, 3);
  }
}
