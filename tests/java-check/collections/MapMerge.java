// expect: holds
// merge of a concurrent map is one operation.
import java.util.concurrent.ConcurrentHashMap;
public class MapMerge {
  public static void main(String[] a) throws Exception {
    ConcurrentHashMap<String,Integer> m = new ConcurrentHashMap<>();
    Thread t = new Thread(() -> m.merge("k", 1, Integer::sum)); t.start();
    m.merge("k", 1, Integer::sum); t.join();
    assert m.get("k") == 2 : m;
  }
}
