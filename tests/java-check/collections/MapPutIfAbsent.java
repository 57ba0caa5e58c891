// expect: holds
// putIfAbsent is one operation: the first one wins.
import java.util.concurrent.ConcurrentHashMap;

public class MapPutIfAbsent {
    static final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();

    static int register(int number) {
        map.putIfAbsent("key", number);
        return map.get("key");
    }

    public static void main(String[] args) throws InterruptedException {
        int[] seen = new int[2];
        Thread other = new Thread(() -> seen[0] = register(1));
        other.start();
        seen[1] = register(2);
        other.join();
        assert seen[0] == seen[1];
    }
}
