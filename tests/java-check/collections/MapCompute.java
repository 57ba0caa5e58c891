// expect: holds
// compute is one operation.
import java.util.concurrent.ConcurrentHashMap;

public class MapCompute {
    static final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();

    static void add() {
        map.compute("key", (key, old) -> old == null ? 1 : old + 1);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(MapCompute::add);
        other.start();
        add();
        other.join();
        assert map.get("key") == 2;
    }
}
