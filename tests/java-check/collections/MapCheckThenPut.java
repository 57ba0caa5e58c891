// expect: assertion
// containsKey and put are two operations: the second one wins.
import java.util.concurrent.ConcurrentHashMap;

public class MapCheckThenPut {
    static final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();

    static int register(int number) {
        if (!map.containsKey("key")) map.put("key", number);
        return map.get("key");
    }

    public static void main(String[] args) throws InterruptedException {
        int[] seen = new int[2];
        Thread other = new Thread(() -> seen[0] = register(1));
        other.start();
        seen[1] = register(2);
        other.join();
        assert seen[0] == seen[1]; // <- assertion
    }
}
