import java.util.List;
import java.util.Map;

/** instanceof with a binding: scopes, negation, conjunction, generics, arrays. */
public class InstanceOf {
    static Object field = "field";
    static String kind(Object o) {
        if (o instanceof String s && s.length() > 3) return "long string " + s.toUpperCase();
        else if (o instanceof String s) return "string " + s;
        if (!(o instanceof Number n)) return o instanceof int[] a && a.length > 0 ? "ints " + a[0] : o instanceof Object[] os ? "objects " + os.length : "other " + o;
        if (n instanceof Integer i && i % 2 == 0) return "even " + (i + 1);
        return n instanceof Long l ? "long " + (l << 1) : n instanceof Double d && !d.isNaN() ? "double " + d / 2 : "number " + n;
    }
    static int loop(List<Object> l) {
        int i = 0;
        while (!(l.get(i) instanceof Integer n)) i++;
        return n + i;
    }
    static boolean same(Object a, Object b) { return a instanceof String s && b instanceof String t && s.equals(t) || a instanceof Integer x && b instanceof Integer y && x.intValue() == y; }
    static final class Cell { final Object v; Cell(Object v) { this.v = v; } @Override public boolean equals(Object o) { return o instanceof Cell c && (v == null ? c.v == null : v.equals(c.v)); } @Override public int hashCode() { return 1; } }

    public static void main(String[] args) {
        for (Object o : new Object[] {"hi", "hello", 4, 5, 6L, 7.5, Double.NaN, 1f, null, new int[] {9}, new String[2], new int[1][1], 'c', List.of(1)}) System.out.println(kind(o));
        System.out.println(loop(List.of("a", 'b', 2.0, 40)) + " " + same("a", new String("a")) + same(1000, 1000) + same(1, "1"));
        if (field instanceof String field && !field.isEmpty()) System.out.println("shadowing " + field.length());
        System.out.println(field + " " + new Cell(new Cell(null)).equals(new Cell(new Cell(null))) + new Cell(1).equals(new Cell("1")));
        Object o = Map.of("k", List.of(1, 2));
        if (o instanceof Map<?, ?> m && m.get("k") instanceof List<?> l && l.get(1) instanceof Integer i) System.out.println(i * 10);
        Object s = "mutable";
        if (s instanceof String t) { t += "!"; System.out.println(t + s); }
        for (Object x = 1; x instanceof Integer n && n < 4; x = n + 1) System.out.print(n + " ");
        do { o = o instanceof String t ? t.length() : "abc"; } while (o instanceof String);
        System.out.println(o);
        CharSequence cs = new StringBuilder("sb");
        System.out.println(cs instanceof StringBuilder b ? b.append("x").length() : -1);
    }
}
