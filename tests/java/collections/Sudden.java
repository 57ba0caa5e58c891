import java.util.*;
import java.util.stream.IntStream;

/** Large collections: growth, many removals, sorting stability, sublists of sublists. */
public class Sudden {
    public static void main(String[] args) {
        Random r = new Random(99);
        List<Integer> model = new ArrayList<>(); LinkedList<Integer> linked = new LinkedList<>(); ArrayDeque<Integer> deque = new ArrayDeque<>();
        for (int i = 0; i < 3000; i++) {
            int k = r.nextInt(6), v = r.nextInt(100);
            switch (k) {
                case 0, 1, 2 -> { model.add(v); linked.addLast(v); deque.addLast(v); }
                case 3 -> { model.add(0, v); linked.addFirst(v); deque.addFirst(v); }
                case 4 -> { if (!model.isEmpty()) { int a = model.remove(0), b = linked.removeFirst(), c = deque.removeFirst(); if (a != b || b != c) System.out.println("differ"); } }
                default -> { boolean a = model.remove((Integer) v), b = linked.remove((Integer) v), c = deque.remove((Object) v); if (a != b || b != c) System.out.println("differ"); }
            }
        }
        System.out.println(model.size() + " " + model.equals(linked) + " " + model.equals(new ArrayList<>(deque)) + " " + model.hashCode());
        Map<Integer, Integer> hash = new HashMap<>(), tree = new TreeMap<>(), linkedMap = new LinkedHashMap<>();
        for (int i = 0; i < 5000; i++) { int k = r.nextInt(700) - 350, v = r.nextInt(); if (r.nextInt(3) == 0) { Integer a = hash.remove(k), b = tree.remove(k), c = linkedMap.remove(k); if (!Objects.equals(a, b) || !Objects.equals(b, c)) System.out.println("differ"); } else { hash.put(k, v); tree.put(k, v); linkedMap.put(k, v); } }
        System.out.println(hash.equals(tree) + " " + tree.equals(linkedMap) + " " + hash.size() + " " + hash.hashCode() + " " + new ArrayList<>(tree.keySet()).subList(0, 5));
        long order = 0;
        for (int k : hash.keySet()) order = order * 31 + k;
        for (int k : linkedMap.keySet()) order = order * 31 + k;
        System.out.println(order);
        List<Integer> l = new ArrayList<>(IntStream.range(0, 100).boxed().toList());
        List<Integer> s = l.subList(10, 90).subList(10, 70).subList(5, 15);
        s.clear();
        System.out.println(l.size() + " " + l.get(25) + " " + s.isEmpty());
        l.subList(20, 60).sort(Comparator.reverseOrder());
        l.subList(0, 50).removeIf(x -> x % 2 == 0);
        System.out.println(l);
        PriorityQueue<Integer> pq = new PriorityQueue<>(Comparator.comparing((Integer x) -> x % 10).thenComparing(Comparator.reverseOrder()));
        for (int i = 0; i < 200; i++) { pq.add(r.nextInt(1000)); if (i % 3 == 0) pq.poll(); }
        StringBuilder b = new StringBuilder();
        while (pq.size() > 100) b.append(pq.poll()).append(' ');
        System.out.println(b);
    }
}
