// expect: assertion
// get and put of a concurrent map are two operations.
import java.util.concurrent.ConcurrentHashMap;
public class MapLostUpdate {
  public static void main(String[] a) throws Exception {
    ConcurrentHashMap<String,Integer> m = new ConcurrentHashMap<>();
    m.put("k", 0);
    Thread t = new Thread(() -> m.put("k", m.get("k") + 1)); t.start();
    m.put("k", m.get("k") + 1); t.join();
    assert m.get("k") == 2 : m; // <- assertion
  }
}
