import java.util.HashMap;
import java.util.Map;

/** Two threads put into the HashMap of the library, without a lock. */
final class SharedMap {
    public static void main(String[] arguments) throws InterruptedException {
        Map<Integer, String> map = new HashMap<>();
        Thread other = new Thread(() -> map.put(1, "one"));
        other.start();
        map.put(17, "seventeen");
        other.join();
        assert map.get(1) != null : "what the other thread has put is gone";
        assert map.get(17) != null : "what this thread has put is gone";
    }
}
