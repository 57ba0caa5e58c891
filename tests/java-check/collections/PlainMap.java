// expect: assertion
// A HashMap that two threads write loses entries.
import java.util.HashMap;

public class PlainMap {
    public static void main(String[] args) throws InterruptedException {
        HashMap<Integer, String> map = new HashMap<>();
        Thread other = new Thread(() -> map.put(1, "one"));
        other.start();
        map.put(2, "two");
        other.join();
        assert map.size() == 2 && map.get(1) != null && map.get(2) != null; // <- assertion
    }
}
