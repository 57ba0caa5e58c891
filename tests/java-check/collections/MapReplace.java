// expect: holds
// replace with the expected old value, tried again until it succeeds.
import java.util.concurrent.ConcurrentHashMap;

public class MapReplace {
    static final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();

    static void add() {
        Integer old;
        do {
            old = map.get("key");
        } while (!map.replace("key", old, old + 1));
    }

    public static void main(String[] args) throws InterruptedException {
        map.put("key", 0);
        Thread other = new Thread(MapReplace::add);
        other.start();
        add();
        other.join();
        assert map.get("key") == 2;
    }
}
