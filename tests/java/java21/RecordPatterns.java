import java.util.List;

/** Record patterns, nested, in instanceof and switch, with var and generics. */
public class RecordPatterns {
    record Point(int x, int y) { } record Line(Point a, Point b) { } record Box<T>(T t) { } record Wide(long l, double d, byte b) { }
    static String show(Object o) {
        return switch (o) {
            case null -> "null";
            case Line(Point(var x, int y), Point b) when x == b.x() -> "vertical " + y;
            case Line(Point a, Point(int x, int y)) -> "line " + a + x + y;
            case Point(int x, int y) when x > y -> "big " + (x - y);
            case Point p -> "point " + p;
            case Box<?>(String s) -> "string box " + s.length();
            case Box<?>(Box<?>(var inner)) -> "box box " + inner;
            case Box<?>(var any) -> "box " + any;
            case Wide(long l, double d, byte b) -> "wide " + (l + d + b);
            case int[] a when a.length > 2 -> "ints " + a[2];
            case Object[] os -> "array " + os.length;
            default -> "other " + o;
        };
    }
    record Throws(int v) { public int v() { if (v < 0) throw new IllegalStateException("accessor"); return v; } }
    public static void main(String[] args) {
        for (Object o : new Object[] {null, new Line(new Point(1, 2), new Point(1, 5)), new Line(new Point(1, 2), new Point(3, 4)), new Point(5, 1), new Point(1, 5), new Box<>("four"), new Box<>(new Box<>(3)), new Box<>(null), new Box<>(List.of(1)), new Wide(1L << 40, 0.5, (byte) -1), new int[] {1, 2, 3}, new String[2], 'c'}) System.out.println(show(o));
        Object o = new Line(new Point(7, 8), null);
        if (o instanceof Line(Point(int x, int y), var b) && x < y) System.out.println(x + y + " " + b);
        System.out.println(o instanceof Line(var a, Point(var p, var q)) ? "no" : "null is not a record pattern match");
        try { Object t = new Throws(-1); if (t instanceof Throws(int v)) System.out.println(v); } catch (MatchException e) { System.out.println("match exception " + e.getCause().getMessage()); }
    }
}
