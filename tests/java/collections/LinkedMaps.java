import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.WeakHashMap;

/** Insertion and access order, an LRU cache, identity and weak maps. */
public class LinkedMaps {
    static class Lru<K, V> extends LinkedHashMap<K, V> {
        final int max; int evicted;
        Lru(int max) { super(16, 0.75f, true); this.max = max; }
        @Override protected boolean removeEldestEntry(Map.Entry<K, V> e) { if (size() > max) { evicted++; return true; } return false; }
    }
    public static void main(String[] args) {
        Lru<String, Integer> lru = new Lru<>(3);
        for (String s : "a b c a d e a f b".split(" ")) { lru.merge(s, 1, Integer::sum); lru.get("a"); }
        System.out.println(lru + " " + lru.evicted + " " + lru.getOrDefault("a", 0) + lru.keySet());
        Map<String, Integer> m = new LinkedHashMap<>();
        for (String s : "z y x z".split(" ")) m.put(s, m.size());
        m.remove("y");
        m.put("y", 9);
        m.putIfAbsent("w", 1);
        m.compute("z", (k, v) -> v + 100);
        System.out.println(m + " " + m.entrySet().iterator().next() + m.equals(Map.of("x", 2, "z", 100, "y", 9, "w", 1)));
        LinkedHashSet<Integer> s = new LinkedHashSet<>();
        for (int i = 10; i > 0; i -= 3) { s.add(i); s.add(i % 4); }
        System.out.println(s + " " + s.remove(2) + s);
        IdentityHashMap<String, Integer> id = new IdentityHashMap<>();
        String a = new String("k"), b = new String("k");
        id.put(a, 1); id.put(b, 2); id.put("k", 3); id.put("k", 4);
        System.out.println(id.size() + " " + id.get(a) + id.get(b) + id.get("k") + id.containsKey(new String("k")));
        WeakHashMap<String, Integer> weak = new WeakHashMap<>();
        weak.put("literal", 1);
        System.out.println(weak.get("literal") + " " + weak.size());
        Map<String, Integer> u = Collections.unmodifiableMap(m);
        m.put("late", 5);
        try { u.put("x", 1); } catch (UnsupportedOperationException e) { System.out.println("unmodifiable but live " + u.get("late")); }
        Map<String, Integer> checked = Collections.synchronizedMap(new LinkedHashMap<>(m));
        checked.forEach((k, v) -> System.out.print(k + v + " "));
        System.out.println(Collections.newSetFromMap(new LinkedHashMap<String, Boolean>()).add("e"));
    }
}
