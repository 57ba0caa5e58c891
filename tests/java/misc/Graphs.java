import java.util.*;

/** Graph algorithms with collections: components, topological order, spanning tree, flows, cycles. */
public class Graphs {
    record Edge(int a, int b, int w) implements Comparable<Edge> { public int compareTo(Edge o) { return w != o.w ? w - o.w : a != o.a ? a - o.a : b - o.b; } }
    static int find(int[] p, int x) { return p[x] == x ? x : (p[x] = find(p, p[x])); }
    static List<Integer> topo(Map<Integer, List<Integer>> g, int n) { int[] in = new int[n]; g.values().forEach(l -> l.forEach(x -> in[x]++)); Deque<Integer> q = new ArrayDeque<>(); for (int i = 0; i < n; i++) if (in[i] == 0) q.add(i); List<Integer> out = new ArrayList<>(); while (!q.isEmpty()) { int x = q.poll(); out.add(x); for (int y : g.getOrDefault(x, List.of())) if (--in[y] == 0) q.add(y); } return out; }
    static int flow(int[][] cap, int s, int t) { int total = 0, n = cap.length; while (true) { int[] from = new int[n]; Arrays.fill(from, -1); from[s] = s; Deque<Integer> q = new ArrayDeque<>(List.of(s)); while (!q.isEmpty() && from[t] < 0) { int u = q.poll(); for (int v = 0; v < n; v++) if (from[v] < 0 && cap[u][v] > 0) { from[v] = u; q.add(v); } } if (from[t] < 0) return total; int f = Integer.MAX_VALUE; for (int v = t; v != s; v = from[v]) f = Math.min(f, cap[from[v]][v]); for (int v = t; v != s; v = from[v]) { cap[from[v]][v] -= f; cap[v][from[v]] += f; } total += f; } }
    static void tarjan(int v, int[][] g, int[] num, int[] low, Deque<Integer> st, int[] c, List<TreeSet<Integer>> out) { num[v] = low[v] = ++c[0]; st.push(v); for (int w : g[v]) if (num[w] == 0) { tarjan(w, g, num, low, st, c, out); low[v] = Math.min(low[v], low[w]); } else if (st.contains(w)) low[v] = Math.min(low[v], num[w]); if (low[v] == num[v]) { TreeSet<Integer> s = new TreeSet<>(); int w; do { s.add(w = st.pop()); } while (w != v); out.add(s); } }
    public static void main(String[] args) {
        List<Edge> es = new ArrayList<>();
        for (int i = 0; i < 12; i++) for (int j = i + 1; j < 12; j++) if ((i * j + i + j) % 4 == 1) es.add(new Edge(i, j, (i * 31 + j * 17) % 23));
        Collections.sort(es);
        int[] p = new int[12]; for (int i = 0; i < 12; i++) p[i] = i;
        int weight = 0; StringBuilder b = new StringBuilder();
        for (Edge e : es) { int x = find(p, e.a()), y = find(p, e.b()); if (x != y) { p[x] = y; weight += e.w(); b.append(e.a()).append('-').append(e.b()).append(' '); } }
        Set<Integer> roots = new TreeSet<>(); for (int i = 0; i < 12; i++) roots.add(find(p, i));
        System.out.println(es.size() + " " + weight + " " + b + roots.size());
        System.out.println(topo(Map.of(0, List.of(1, 2), 1, List.of(3), 2, List.of(3), 3, List.of(4), 5, List.of(2)), 6) + " " + topo(Map.of(0, List.of(1), 1, List.of(0), 2, List.of(0)), 3));
        System.out.println(flow(new int[][] {{0, 16, 13, 0, 0, 0}, {0, 0, 10, 12, 0, 0}, {0, 4, 0, 0, 14, 0}, {0, 0, 9, 0, 0, 20}, {0, 0, 0, 7, 0, 4}, {0, 0, 0, 0, 0, 0}}, 0, 5));
        int[][] g = {{1}, {2}, {0, 3}, {4}, {5}, {3}, {5, 7}, {6}};
        List<TreeSet<Integer>> out = new ArrayList<>(); int[] num = new int[8], low = new int[8], c = new int[1]; Deque<Integer> st = new ArrayDeque<>();
        for (int i = 0; i < 8; i++) if (num[i] == 0) tarjan(i, g, num, low, st, c, out);
        System.out.println(out);
        int[][] d = new int[6][6];
        for (int i = 0; i < 6; i++) for (int j = 0; j < 6; j++) d[i][j] = i == j ? 0 : (i * 7 + j * 11) % 13 == 0 ? 1000 : (i * 7 + j * 11) % 13 + 1;
        for (int k = 0; k < 6; k++) for (int i = 0; i < 6; i++) for (int j = 0; j < 6; j++) d[i][j] = Math.min(d[i][j], d[i][k] + d[k][j]);
        System.out.println(Arrays.deepToString(d));
    }
}
