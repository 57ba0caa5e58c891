// expect: deadlock
// Two computations of a map that need a lock which the other thread holds.
import java.util.concurrent.ConcurrentHashMap;

public class MapComputeDeadlock {
    static final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
    static final Object lock = new Object();

    static Integer locked(String key, Integer old) {
        synchronized (lock) { // <- deadlock
            return old + 1;
        }
    }

    public static void main(String[] args) {
        map.put("key", 0);
        new Thread(() -> map.compute("key", MapComputeDeadlock::locked)).start();
        synchronized (lock) {
            map.compute("key", MapComputeDeadlock::locked); // <- deadlock
        }
    }
}
