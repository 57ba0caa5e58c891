// expect: exception
// A sorted map is empty again after it was looked at.
import java.util.concurrent.ConcurrentSkipListMap;

public class SkipListFirst {
    public static void main(String[] args) {
        ConcurrentSkipListMap<Integer, String> map = new ConcurrentSkipListMap<>();
        map.put(1, "one");
        new Thread(() -> map.remove(1)).start();
        if (!map.isEmpty()) {
            System.out.println(map.firstKey()); // <- exception
        }
    }
}
