import java.util.*;
import java.util.stream.*;

/** Records with interfaces, statics, nested generics, in sets, as map keys, sorted, streamed. */
public class Interop {
    interface HasArea { double area(); default int compareArea(HasArea o) { return Double.compare(area(), o.area()); } }
    record Rect(double w, double h) implements HasArea, Comparable<Rect> { static int count; static final Rect UNIT = square(1); Rect { if (w < 0 || h < 0) throw new IllegalArgumentException(w + "x" + h); w = Math.round(w * 10) / 10.0; count++; } static Rect square(double s) { return new Rect(s, s); } public double area() { return w * h; } public int compareTo(Rect o) { return compareArea(o); } Rect scaled(double k) { return new Rect(w * k, h * k); } record Pair(Rect a, Rect b) { double total() { return a.area() + b.area(); } } }
    record Version(int major, int minor, String tag) implements Comparable<Version> { static final Comparator<Version> ORDER = Comparator.comparingInt(Version::major).thenComparingInt(Version::minor).thenComparing(Version::tag, Comparator.nullsFirst(Comparator.naturalOrder())); Version(int major) { this(major, 0, null); } static Version parse(String s) { String[] p = s.split("[.-]"); return new Version(Integer.parseInt(p[0]), p.length > 1 ? Integer.parseInt(p[1]) : 0, p.length > 2 ? p[2] : null); } public int compareTo(Version o) { return ORDER.compare(this, o); } }
    record Tree<T extends Comparable<T>>(T value, Tree<T> left, Tree<T> right) { Tree<T> insert(T t) { int c = t.compareTo(value); return c == 0 ? this : c < 0 ? new Tree<>(value, left == null ? new Tree<>(t, null, null) : left.insert(t), right) : new Tree<>(value, left, right == null ? new Tree<>(t, null, null) : right.insert(t)); } Stream<T> stream() { return Stream.of(left == null ? Stream.<T>empty() : left.stream(), Stream.of(value), right == null ? Stream.<T>empty() : right.stream()).flatMap(x -> x); } int depth() { return 1 + Math.max(left == null ? 0 : left.depth(), right == null ? 0 : right.depth()); } }
    record Matrix(int[][] cells) { Matrix { cells = Arrays.stream(cells).map(int[]::clone).toArray(int[][]::new); } @Override public boolean equals(Object o) { return o instanceof Matrix m && Arrays.deepEquals(cells, m.cells); } @Override public int hashCode() { return Arrays.deepHashCode(cells); } }
    public static void main(String[] args) {
        Rect r = new Rect(2.04, 3);
        System.out.println(r + " " + r.area() + r.scaled(2) + Rect.count + Rect.UNIT + new Rect.Pair(r, Rect.UNIT).total() + new Rect.Pair(r, null));
        try { new Rect(-1, 2); } catch (IllegalArgumentException e) { System.out.println(e.getMessage() + Rect.count); }
        List<Version> vs = Stream.of("1.2", "1.10", "1.2-beta", "0.9-rc", "2").map(Version::parse).sorted().toList();
        System.out.println(vs + " " + new TreeSet<>(vs).first() + Collections.max(vs) + new Version(3).equals(Version.parse("3")) + vs.get(0).hashCode());
        Tree<String> t = new Tree<>("m", null, null);
        for (String s : "f t b h p w f a".split(" ")) t = t.insert(s);
        System.out.println(t.stream().collect(Collectors.joining()) + t.depth() + " " + t.left().right() + " " + t.equals(t.insert("a")) + (t == t.insert("zz")) + t.hashCode());
        int[][] cells = {{1, 2}, {3}};
        Matrix a = new Matrix(cells), b = new Matrix(cells);
        cells[0][0] = 9;
        System.out.println(a.equals(b) + " " + a.hashCode() + a.cells()[0][0] + new HashSet<>(List.of(a)).contains(b));
        Map<Version, Long> m = Stream.of("1.1", "1.1", "2").map(Version::parse).collect(Collectors.groupingBy(v -> v, TreeMap::new, Collectors.counting()));
        System.out.println(m);
    }
}
