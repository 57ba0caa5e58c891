import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** HashMap: collisions, tree bins, resizing, null keys, compute and merge, views. */
public class HashMaps {
    record Bad(int n) implements Comparable<Bad> { @Override public int hashCode() { return n % 3; } public int compareTo(Bad o) { return Integer.compare(n, o.n); } }
    static class Worse { final int n; Worse(int n) { this.n = n; } @Override public int hashCode() { return 1; } @Override public boolean equals(Object o) { return o instanceof Worse w && w.n == n; } }

    public static void main(String[] args) {
        Map<String, Integer> m = new HashMap<>();
        for (String w : "the quick brown fox jumps over the lazy dog the end".split(" ")) m.merge(w, 1, Integer::sum);
        System.out.println(m);
        m.put(null, -1);
        m.put("x", null);
        System.out.println(m.get(null) + " " + m.containsKey("x") + " " + m.get("x") + " " + m.getOrDefault("x", 5) + " " + m.getOrDefault("y", 5) + " " + m.putIfAbsent("x", 9) + m.putIfAbsent("x", 10) + " " + m.remove("the") + " " + m.remove("fox", 2) + m.replace("fox", 7) + m.replace("fox", 7, 8) + m.size());
        System.out.println(m.computeIfAbsent("new", String::length) + " " + m.computeIfPresent("new", (k, v) -> null) + " " + m.containsKey("new") + " " + m.compute("fox", (k, v) -> v == null ? 0 : v * 2) + " " + m.merge("fox", 1, (a, b) -> null) + m.containsKey("fox"));
        m.keySet().removeIf(k -> k == null || k.length() == 3);
        m.values().remove(1);
        m.replaceAll((k, v) -> k.length() + v);
        for (Map.Entry<String, Integer> e : m.entrySet()) e.setValue(e.getValue() * 10);
        System.out.println(m + " " + m.hashCode() + " " + m.equals(new java.util.TreeMap<>(m)) + " " + m.keySet() + m.values());
        Map<Bad, Integer> bad = new HashMap<>();
        for (int i = 0; i < 200; i++) bad.put(new Bad(i), i);
        for (int i = 0; i < 200; i += 7) bad.remove(new Bad(i));
        long sum = 0;
        for (int i = 0; i < 210; i++) sum += bad.getOrDefault(new Bad(i), -1000);
        int order = 0;
        for (Bad b : bad.keySet()) order = order * 31 + b.n();
        System.out.println(bad.size() + " " + sum + " " + order);
        Set<Worse> worse = new HashSet<>();
        for (int i = 0; i < 50; i++) worse.add(new Worse(i % 25));
        System.out.println(worse.size() + " " + worse.contains(new Worse(3)) + worse.remove(new Worse(30)) + worse.remove(new Worse(24)));
        Map<Integer, Integer> ints = new HashMap<>(4);
        for (int i = 0; i < 40; i++) ints.put(i * 1000003, i);
        System.out.println(ints);
        try { for (Integer k : ints.keySet()) ints.put(k + 1, 0); } catch (java.util.ConcurrentModificationException e) { System.out.println("failed fast " + ints.size()); }
        try { ints.computeIfAbsent(-5, k -> { ints.put(-6, 1); return 2; }); } catch (java.util.ConcurrentModificationException e) { System.out.println("recursive update"); }
        System.out.println(Map.entry("a", 1) + " " + new java.util.AbstractMap.SimpleEntry<>("k", 2).hashCode() + " " + Map.of("only", 1) + " " + Map.of().isEmpty());
        try { Map.of("a", 1, "a", 2); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        Set<String> s = new HashSet<>(Set.of("one", "two", "three", "four"));
        s.retainAll(Set.of("two", "four", "six"));
        System.out.println(s + " " + s.add("two") + s.add("z") + " " + s.containsAll(java.util.List.of("z", "two")) + " " + new HashMap<>(Map.of(1, 'a')).entrySet());
    }
}
