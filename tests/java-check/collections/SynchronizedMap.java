// expect: holds
// A synchronized map that two threads write.
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

public class SynchronizedMap {
    public static void main(String[] args) throws InterruptedException {
        Map<Integer, String> map = Collections.synchronizedMap(new HashMap<>());
        Thread other = new Thread(() -> map.put(1, "one"));
        other.start();
        map.put(2, "two");
        other.join();
        assert map.size() == 2 && map.get(1) != null && map.get(2) != null;
    }
}
