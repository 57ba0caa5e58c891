import java.util.Map;
import java.util.concurrent.*;

/** ConcurrentHashMap and ConcurrentSkipListMap by one thread. */
public class ConcurrentMaps {
    public static void main(String[] args) {
        ConcurrentHashMap<String, Integer> m = new ConcurrentHashMap<>();
        for (String w : "to be or not to be that is the question".split(" ")) m.merge(w, 1, Integer::sum);
        System.out.println(m + " " + m.size() + m.mappingCount());
        System.out.println(m.compute("to", (k, v) -> v + 10) + " " + m.computeIfAbsent("new", k -> k.length()) + m.computeIfAbsent("new", k -> 99) + " " + m.computeIfPresent("or", (k, v) -> null) + m.containsKey("or") + " " + m.putIfAbsent("x", 1) + m.putIfAbsent("x", 2) + " " + m.remove("x", 5) + m.remove("x", 1) + m.replace("is", 1, 7) + m.replace("zzz", 1) + m.getOrDefault("zzz", -1) + m.merge("is", 1, (a, b) -> null) + m.get("is"));
        for (Runnable r : new Runnable[] {() -> m.put(null, 1), () -> m.put("k", null), () -> m.get(null)}) try { r.run(); } catch (NullPointerException e) { System.out.println("no nulls"); }
        System.out.println(m.reduceValues(Long.MAX_VALUE, Integer::sum) + " " + m.search(Long.MAX_VALUE, (k, v) -> v > 10 ? k : null) + " " + m.reduceKeys(Long.MAX_VALUE, (a, b) -> a.compareTo(b) > 0 ? a : b));
        for (String k : m.keySet()) { m.remove(k + "x"); m.put(k.substring(0, 1), 0); }
        System.out.println(new java.util.TreeMap<>(m));
        ConcurrentHashMap<Integer, Integer> big = new ConcurrentHashMap<>(2);
        for (int i = 0; i < 3000; i++) big.put(i * 7, i);
        for (int i = 0; i < 3000; i += 2) big.remove(i * 7);
        long sum = 0;
        for (Map.Entry<Integer, Integer> e : big.entrySet()) { sum = sum * 31 + e.getKey(); if (e.getKey() % 3 == 0) e.setValue(1); }
        System.out.println(big.size() + " " + sum + " " + big.values().stream().filter(v -> v == 1).count());
        try { big.computeIfAbsent(2, k -> big.computeIfAbsent(2, j -> 5)); } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
        var set = ConcurrentHashMap.<String>newKeySet();
        System.out.println(set.add("a") + " " + set.add("a") + set.contains("a") + set);
        ConcurrentSkipListMap<Integer, String> s = new ConcurrentSkipListMap<>();
        for (int i = 0; i < 50; i++) s.put(i * 31 % 53, "v" + i);
        System.out.println(s.firstKey() + " " + s.ceilingKey(20) + " " + s.headMap(6) + s.descendingMap().firstEntry() + s.pollFirstEntry() + s.subMap(10, 15).size() + s.remove(7) + s.containsKey(7) + s.merge(8, "!", String::concat));
        ConcurrentSkipListSet<String> ss = new ConcurrentSkipListSet<>(java.util.Set.of("b", "a", "c"));
        System.out.println(ss + ss.higher("a") + ss.pollLast());
        CopyOnWriteArrayList<Integer> cow = new CopyOnWriteArrayList<>(java.util.List.of(1, 2, 3));
        for (Integer x : cow) cow.add(x * 10);
        try { var it = cow.iterator(); it.next(); it.remove(); } catch (UnsupportedOperationException e) { System.out.println(cow + " " + cow.addIfAbsent(10) + cow.addIfAbsent(11)); }
        cow.removeIf(x -> x > 9);
        CopyOnWriteArraySet<Integer> cs = new CopyOnWriteArraySet<>(cow);
        cs.add(2);
        System.out.println(cow + " " + cs + cs.size());
    }
}
