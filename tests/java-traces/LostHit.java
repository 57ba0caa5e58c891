// expect: assertion
import java.util.*;

/** Two threads count in a map without a lock. */
class LostHit {
    static final Map<String, Integer> hits = new HashMap<>();

    static void hit(String page) {
        Integer old = hits.get(page);
        hits.put(page, old == null ? 1 : old + 1);
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> hit("index"));
        Thread b = new Thread(() -> hit("index"));
        a.start(); b.start();
        a.join(); b.join();
        if (hits.get("index") != 2) throw new AssertionError("lost a hit: " + hits);
    }
}
