// expect: holds
// A concurrent sorted map is sorted whoever came first.
import java.util.concurrent.ConcurrentSkipListMap;

public class SkipListOrder {
    public static void main(String[] args) throws InterruptedException {
        ConcurrentSkipListMap<Integer, String> map = new ConcurrentSkipListMap<>();
        Thread other = new Thread(() -> map.put(2, "two"));
        other.start();
        map.put(1, "one");
        other.join();
        assert map.firstKey() == 1 && map.lastKey() == 2;
    }
}
