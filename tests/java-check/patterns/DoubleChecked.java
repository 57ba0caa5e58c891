// expect: holds
// Double-checked locking of a volatile field.
public class DoubleChecked {
  static volatile int[] v; static int made;
  static int[] get() { int[] x = v; if (x == null) synchronized (DoubleChecked.class) { x = v; if (x == null) { made++; v = x = new int[]{7}; } } return x; }
  public static void main(String[] a) throws Exception {
    Thread x = new Thread(() -> { assert get()[0] == 7; }); x.start(); assert get()[0] == 7; x.join(); assert made == 1;
  }
}
