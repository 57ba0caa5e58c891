// expect: holds
import java.util.HashMap;
import java.util.Map;

public class SharedKeys {
    static final String KEY = new String("key");
    static final Map<String, Integer> MAP = new HashMap<>();

    public static void main(String[] args) {
        MAP.put("key", 1);
        Thread other = new Thread(() -> {
            assert MAP.get(KEY) == 1 && MAP.keySet().size() == 1;
        });
        other.start();
        assert MAP.get(KEY) == 1 && MAP.keySet().size() == 1;
    }
}
