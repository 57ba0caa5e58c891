import java.util.Arrays;

/** Overload resolution with boxing, widening and varargs. */
public class Varargs {
    static String f(int x) { return "int"; }
    static String f(long x) { return "long"; }
    static String f(double x) { return "double"; }
    static String f(Integer x) { return "Integer"; }
    static String f(Object x) { return "Object"; }
    static String f(int... x) { return "int..." + x.length; }
    static String g(Object... xs) { return xs == null ? "null" : xs.length + Arrays.deepToString(xs); }
    static String h(String s, Object... xs) { return s + "/" + xs.length; }
    static String h(String s, String... xs) { return s + "\\" + xs.length; }
    static String k(long x) { return "long"; }
    static String k(Object x) { return "Object"; }
    static String m(char c) { return "char"; }
    static String m(int i) { return "int"; }
    static String n(CharSequence s) { return "CharSequence"; }
    static String n(Comparable<?> s) { return "Comparable"; }
    static String n(String s) { return "String"; }
    static <T> int count(T... ts) { return ts.length; }
    static long sum(long... ls) { long t = 0; for (long l : ls) t += l; return t; }
    static double mean(double first, double... rest) { double t = first; for (double d : rest) t += d; return t / (rest.length + 1); }

    public static void main(String... args) {
        byte b = 1; short s = 1; char c = 'c'; float fl = 1f; Integer boxed = 5; Character ch = 'c';
        System.out.println(f(b) + " " + f(s) + " " + f(c) + " " + f(1) + " " + f(1L) + " " + f(fl) + " " + f(1.0) + " " + f(boxed) + " " + f(ch) + " " + f("s") + " " + f() + " " + f(1, 2) + " " + f(new int[3]));
        System.out.println(g() + " " + g(1) + " " + g((Object) null) + " " + g((Object[]) null) + " " + g(1, "a", null));
        System.out.println(g(new String[] {"x", "y"}) + " " + g((Object) new String[] {"x"}) + " " + g(new int[] {1, 2}, 3) + " " + g(new int[] {7}));
        System.out.println(h("a") + " " + h("a", "b") + " " + h("a", 1) + " " + h("a", "b", 2));
        System.out.println(k(1) + " " + k(boxed) + " " + k('c') + " " + k(1f) + " " + m('x') + " " + m('x' + 1) + " " + m((char) 98) + " " + n("s"));
        System.out.println(count() + " " + count(1, "two", 3.0) + " " + count((Object) null) + " " + sum() + " " + sum(1, 2, 'a') + " " + mean(1) + " " + mean(1, 2, 4f));
        System.out.println(String.format("%s %s", (Object[]) new String[] {"p", "q"}) + " " + Arrays.asList(1, 2).size() + " " + Arrays.asList(new int[] {1, 2}).size());
        Object o = true ? 1 : 2.0;
        Object p = true ? Integer.valueOf(1) : Double.valueOf(2);
        Object q = true ? (Object) 1 : 2.0;
        char x = 'x';
        int i = 0;
        System.out.println(o + " " + p + " " + q + " " + (true ? x : 0) + " " + (true ? x : i) + " " + (false ? 1L : 'a'));
    }
}
