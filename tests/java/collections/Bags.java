import java.util.*;

/** Nested collections: maps of lists of sets, inverted indexes, matrices of lists. */
public class Bags {
    public static void main(String[] args) {
        Map<String, Map<Integer, Set<String>>> m = new TreeMap<>();
        for (String w : "apple avocado banana blueberry cherry apricot bean".split(" ")) m.computeIfAbsent(w.substring(0, 1), k -> new TreeMap<>(Comparator.reverseOrder())).computeIfAbsent(w.length(), k -> new LinkedHashSet<>()).add(w);
        System.out.println(m);
        Map<Character, BitSet> index = new TreeMap<>(); int line = 0;
        for (String s : new String[] {"abc", "bcd", "cde"}) { for (char c : s.toCharArray()) index.computeIfAbsent(c, k -> new BitSet()).set(line); line++; }
        System.out.println(index);
        List<List<Integer>> tri = new ArrayList<>(); for (int i = 0; i < 6; i++) { List<Integer> r = new ArrayList<>(Collections.nCopies(i + 1, 1)); for (int j = 1; j < i; j++) r.set(j, tri.get(i - 1).get(j - 1) + tri.get(i - 1).get(j)); tri.add(r); }
        System.out.println(tri + " " + tri.hashCode() + " " + new HashSet<>(tri).contains(List.of(1, 2, 1)));
    }
}
