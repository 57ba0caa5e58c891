// expect: assertion
// An ArrayList that two threads append to.
import java.util.*;
public class UnsafeList {
  public static void main(String[] a) throws Exception {
    List<Integer> l = new ArrayList<>();
    Thread x = new Thread(() -> l.add(1)); x.start(); l.add(2); x.join();
    assert l.size() == 2; // <- assertion
  }
}
