import java.util.*;

/** Iterators of every collection: order, removal, failing fast, spliterators. */
public class Iteration {
    static void drain(String name, Collection<Integer> c) {
        c.addAll(List.of(5, 3, 9, 1, 7));
        StringBuilder b = new StringBuilder(name + " ");
        for (Iterator<Integer> it = c.iterator(); it.hasNext(); ) { int x = it.next(); b.append(x).append(' '); if (x > 4) it.remove(); }
        b.append(c);
        Iterator<Integer> it = c.iterator();
        it.next();
        c.add(100);
        try { while (it.hasNext()) b.append(" next ").append(it.next()); } catch (ConcurrentModificationException e) { b.append(" failed fast"); }
        try { c.iterator().remove(); b.append("?"); } catch (IllegalStateException e) { b.append(" ise"); }
        it = c.iterator();
        int n = 0;
        while (it.hasNext()) { it.next(); n++; }
        try { it.next(); b.append("?"); } catch (NoSuchElementException e) { b.append(" nse"); }
        Spliterator<Integer> s = c.spliterator();
        Spliterator<Integer> half = s.trySplit();
        int[] count = new int[2];
        s.forEachRemaining(x -> count[0]++);
        if (half != null) half.forEachRemaining(x -> count[1]++);
        System.out.println(b + " " + n + (count[0] + count[1] == c.size()) + c.removeAll(List.of(100)) + c.size());
    }
    public static void main(String[] args) {
        drain("ArrayList", new ArrayList<>()); drain("LinkedList", new LinkedList<>()); drain("HashSet", new HashSet<>()); drain("TreeSet", new TreeSet<>()); drain("LinkedHashSet", new LinkedHashSet<>()); drain("ArrayDeque", new ArrayDeque<>()); drain("PriorityQueue", new PriorityQueue<>()); drain("Vector", new Vector<>()); drain("keySet", Collections.newSetFromMap(new TreeMap<Integer, Boolean>(Comparator.<Integer>reverseOrder())));
        drain("Stack", new Stack<>());
        Stack<String> st = new Stack<>();
        st.push("a"); st.push("b");
        System.out.println(st + st.peek() + st.pop() + st.search("a") + st.empty());
        Hashtable<String, Integer> h = new Hashtable<>(Map.of("one", 1));
        h.put("two", 2);
        System.out.println(h.size() + " " + h.contains(2) + h.get("one") + Collections.list(h.keys()).size());
        try { h.put(null, 1); } catch (NullPointerException e) { System.out.println("no null"); }
    }
}
