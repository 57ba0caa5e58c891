import java.util.Comparator;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** TreeMap and TreeSet: navigation, views with bounds, comparators, deletion. */
public class TreeMaps {
    public static void main(String[] args) {
        TreeMap<Integer, String> t = new TreeMap<>();
        for (int i = 0; i < 30; i++) t.put(i * 17 % 31, "v" + i);
        System.out.println(t.firstKey() + " " + t.lastEntry() + " " + t.floorKey(-1) + " " + t.ceilingKey(8) + " " + t.higherKey(8) + " " + t.lowerEntry(8) + " " + t.pollFirstEntry() + t.pollLastEntry());
        for (int i = 0; i < 30; i += 3) t.remove(i);
        System.out.println(t.headMap(10) + " " + t.tailMap(25, false) + " " + t.subMap(10, true, 14, true) + " " + t.descendingMap().firstEntry() + " " + t.descendingKeySet());
        NavigableMap<Integer, String> view = t.subMap(5, true, 20, false);
        view.put(6, "six");
        view.pollLastEntry();
        view.remove(7);
        System.out.println(view.size() + " " + view.firstKey() + " " + view.lastKey() + " " + t.containsKey(19) + " " + t.size());
        try { view.put(25, "out"); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        TreeMap<String, Integer> ci = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        ci.put("Apple", 1); ci.put("apple", 2); ci.put("BANANA", 3); ci.merge("banana", 10, Integer::sum);
        System.out.println(ci);
        TreeSet<String> s = new TreeSet<>(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()));
        for (String w : "pear fig apple kiwi banana date plum".split(" ")) s.add(w);
        System.out.println(s + " " + s.first() + s.last() + " " + s.ceiling("zzzz") + s.floor("aaaa") + " " + s.headSet("kiwi", true) + s.descendingSet() + s.higher("plum") + s.lower("fig") + s.pollFirst());
        try { new TreeMap<Object, Integer>().put(new Object(), 1); } catch (ClassCastException e) { System.out.println("not comparable"); }
        try { new TreeSet<String>().add(null); } catch (NullPointerException e) { System.out.println("no null"); }
        TreeMap<Integer, Integer> big = new TreeMap<>(Comparator.reverseOrder());
        long x = 12345;
        for (int i = 0; i < 2000; i++) { x = x * 6364136223846793005L + 1442695040888963407L; int k = (int) (x >>> 54); if ((x & 3) == 0) big.remove(k); else big.merge(k, 1, Integer::sum); }
        long h = 0;
        for (var e : big.entrySet()) h = h * 31 + e.getKey() * 7 + e.getValue();
        System.out.println(big.size() + " " + h + " " + big.headMap(500).size());
        try { for (Integer k : big.keySet()) big.remove(k - 1); } catch (java.util.ConcurrentModificationException e) { System.out.println("failed fast"); }
        System.out.println(new TreeMap<>(java.util.Map.of("b", 1, "a", 2, "c", 3)).entrySet() + " " + new TreeSet<>(java.util.List.of(3, 1, 2)).subSet(1, 3));
    }
}
