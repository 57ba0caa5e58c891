// expect: holds
// computeIfAbsent computes once.
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

public class MapComputeIfAbsent {
    static final ConcurrentHashMap<Integer, String> map = new ConcurrentHashMap<>();
    static final AtomicInteger computed = new AtomicInteger();

    static String get() {
        return map.computeIfAbsent(7, key -> "value" + computed.incrementAndGet());
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(MapComputeIfAbsent::get);
        other.start();
        assert get().equals("value1");
        other.join();
        assert computed.get() == 1;
    }
}
