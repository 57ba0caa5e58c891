import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Heaps and bit sets, with a shortest-path search and a sieve. */
public class PriorityQueues {
    record Edge(int to, int cost) { }
    public static void main(String[] args) {
        PriorityQueue<Integer> q = new PriorityQueue<>(List.of(5, 3, 8, 1, 9, 2, 7));
        System.out.println(q + " " + q.peek() + " " + q.remove(8) + q.contains(3) + " " + q.size());
        StringBuilder b = new StringBuilder();
        while (!q.isEmpty()) b.append(q.poll()).append(' ');
        System.out.println(b + "" + q.poll());
        PriorityQueue<String> words = new PriorityQueue<>(Comparator.comparing(String::length).reversed().thenComparing(Comparator.naturalOrder()));
        Collections.addAll(words, "bb", "a", "ccc", "aa", "ddd", "c");
        for (String s; (s = words.poll()) != null; ) System.out.print(s + " ");
        System.out.println();
        List<List<Edge>> graph = new ArrayList<>();
        for (int i = 0; i < 50; i++) { graph.add(new ArrayList<>()); for (int k = 1; k <= 4; k++) graph.get(i).add(new Edge((i * k + 7 * k) % 50, (i * 13 + k * 29) % 17 + 1)); }
        int[] dist = new int[50];
        Arrays.fill(dist, Integer.MAX_VALUE);
        dist[0] = 0;
        PriorityQueue<int[]> heap = new PriorityQueue<>((x, y) -> Integer.compare(x[1], y[1]));
        heap.add(new int[] {0, 0});
        while (!heap.isEmpty()) {
            int[] top = heap.poll();
            if (top[1] > dist[top[0]]) continue;
            for (Edge e : graph.get(top[0])) if (top[1] + e.cost() < dist[e.to()]) { dist[e.to()] = top[1] + e.cost(); heap.add(new int[] {e.to(), dist[e.to()]}); }
        }
        System.out.println(Arrays.toString(dist));
        BitSet sieve = new BitSet(200);
        sieve.set(2, 200);
        for (int i = 2; i * i < 200; i++) if (sieve.get(i)) for (int j = i * i; j < 200; j += i) sieve.clear(j);
        System.out.println(sieve + " " + sieve.cardinality() + " " + sieve.length() + " " + sieve.nextSetBit(90) + " " + sieve.nextClearBit(2) + " " + sieve.previousSetBit(196) + " " + sieve.hashCode());
        BitSet even = new BitSet();
        for (int i = 0; i < 200; i += 2) even.set(i);
        BitSet copy = (BitSet) sieve.clone();
        copy.and(even);
        System.out.println(copy + " " + sieve.intersects(even) + " " + Arrays.toString(BitSet.valueOf(new long[] {5, 1L << 63}).stream().toArray()));
        copy.xor(even); copy.andNot(sieve); copy.flip(0, 64); copy.or(BitSet.valueOf(new byte[] {3}));
        System.out.println(copy.cardinality() + " " + Arrays.toString(copy.toLongArray()) + " " + copy.size());
        try { sieve.get(-1); } catch (IndexOutOfBoundsException e) { System.out.println(e.getMessage()); }
    }
}
