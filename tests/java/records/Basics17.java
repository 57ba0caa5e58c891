//@ args: one two
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Records: generated members, compact constructors, arrays, floats, nesting, generics. */
public class Basics17 {
    record Point(int x, int y) {
        static final Point ORIGIN = new Point(0, 0);
        static int made;
        Point { made++; if (x == 13) throw new IllegalArgumentException("unlucky"); }
        Point(int both) { this(both, both); }
        double norm() { return Math.sqrt(x * x + y * y); }
        Point withX(int x) { return new Point(x, y); }
    }
    record All(boolean z, byte b, short s, char c, int i, long l, float f, double d, String o, int[] a) { }
    record Range(int lo, int hi) { Range { if (lo > hi) { int t = lo; lo = hi; hi = t; } } }
    record Pair<A, B extends Comparable<B>>(A first, B second) implements Comparable<Pair<A, B>> {
        public int compareTo(Pair<A, B> o) { return second.compareTo(o.second); }
        <C> Pair<C, B> with(C c) { return new Pair<>(c, second); }
    }
    record Empty() { }
    record Vary(String... names) { }
    record Custom(int n) { public int n() { return n * 2; } @Override public String toString() { return "C" + n; } @Override public boolean equals(Object o) { return o instanceof Custom; } @Override public int hashCode() { return 7; } }
    record Fl(float f, double d) { }
    record Node(int value, Node next) { int sum() { return value + (next == null ? 0 : next.sum()); } }

    public static void main(String[] args) {
        Point p = new Point(3, 4);
        System.out.println(p + " " + p.norm() + " " + p.equals(new Point(3, 4)) + p.equals(null) + p.equals("x") + " " + p.hashCode() + " " + new Point(5) + p.withX(9) + Point.made + Point.ORIGIN);
        try { new Point(13, 1); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        int[] array = {1};
        All a = new All(true, (byte) -1, (short) 2, 'c', 4, 5L, 6.5f, 7.25, "o", array), b = new All(true, (byte) -1, (short) 2, 'c', 4, 5L, 6.5f, 7.25, "o", array), c = new All(true, (byte) -1, (short) 2, 'c', 4, 5L, 6.5f, 7.25, "o", array.clone());
        System.out.println(a.equals(b) + " " + a.equals(c) + " " + (a.hashCode() == b.hashCode()) + " " + a.toString().replaceAll("@[0-9a-f]+", "@"));
        System.out.println(new All(false, (byte) 0, (short) 0, 'x', 0, 0, 0, 0, null, null) + " " + new All(false, (byte) 0, (short) 0, 'x', 0, 1L << 33, 0.5f, 0.25, null, null).hashCode());
        System.out.println(new Range(9, 2) + " " + new Range(1, 2).hi() + " " + new Empty() + new Empty().equals(new Empty()) + new Empty().hashCode());
        Pair<String, Integer> q = new Pair<>("a", 5);
        System.out.println(q + " " + q.with(2.5) + " " + q.compareTo(new Pair<>("b", 7)) + " " + q.equals(new Pair<>("a", 5)) + " " + q.hashCode() + " " + new Pair<>(null, null));
        System.out.println(Arrays.toString(new Vary(args).names()) + new Vary().names().length + " " + new Custom(4) + new Custom(4).n() + new Custom(1).equals(new Custom(2)) + Set.of(new Custom(1)).contains(new Custom(3)));
        System.out.println(new Fl(Float.NaN, Double.NaN).equals(new Fl(Float.NaN, Double.NaN)) + " " + new Fl(0f, 0.0).equals(new Fl(-0f, 0.0)) + " " + new Fl(1, -0.0).hashCode() + " " + new Fl(1, 2));
        System.out.println(new Node(1, new Node(2, new Node(3, null))) + " " + new Node(1, new Node(2, null)).sum() + " " + new Node(4, new Node(5, null)).hashCode() + " " + new Node(4, null).equals(new Node(4, null)));
        record Local(List<Integer> l) { Local { l = List.copyOf(l); } }
        System.out.println(new Local(List.of(1, 2)) + " " + new Local(List.of()).equals(new Local(new java.util.ArrayList<>())) + " " + Point.class.isRecord() + Local.class.getRecordComponents().length + Point.class.getRecordComponents()[1].getName() + Point.class.getSuperclass().getName());
        java.util.Map<Point, String> map = new java.util.HashMap<>();
        for (int i = 0; i < 20; i++) map.merge(new Point(i % 3, i % 2), "" + i, String::concat);
        System.out.println(map);
    }
}
