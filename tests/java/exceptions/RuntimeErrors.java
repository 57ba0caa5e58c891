import java.util.List;

/** The messages of the exceptions that the machine itself throws. */
public class RuntimeErrors {
    interface Body { Object run() throws Throwable; }
    static void attempt(Body b) {
        try { System.out.println("value " + b.run()); } catch (Throwable t) { System.out.println(t.getClass().getName() + ": " + t.getMessage()); }
    }
    static int zero; static long lzero; static int minus = -5; static Object o = "text"; static Object[] strings = new String[2]; static int[] ints = {1, 2, 3};
    static class Base { } static class Derived extends Base { } interface Marker { }
    static Base base = new Base();

    public static void main(String[] args) {
        attempt(() -> 1 / zero);
        attempt(() -> 1 % zero);
        attempt(() -> 1L / lzero);
        attempt(() -> 1L % lzero);
        attempt(() -> 1.0 / zero);
        attempt(() -> { int i = 5; i /= zero; return i; });
        attempt(() -> new int[minus]);
        attempt(() -> new String[3][minus]);
        attempt(() -> ints[3]);
        attempt(() -> ints[minus]);
        attempt(() -> ints[Integer.MIN_VALUE] = 1);
        attempt(() -> strings[0] = o);
        attempt(() -> strings[0] = 5);
        attempt(() -> strings[0] = null);
        attempt(() -> { Object[] bs = new Derived[1]; bs[0] = base; return bs; });
        attempt(() -> { Object[] rows = new int[1][]; rows[0] = new long[1]; return rows; });
        attempt(() -> (Integer) o);
        attempt(() -> (Derived) base);
        attempt(() -> (Marker) base);
        attempt(() -> (int[]) (Object) strings);
        attempt(() -> (String[]) (Object) new Object[0]);
        attempt(() -> (Runnable) o);
        attempt(() -> { List<Integer> l = (List<Integer>) (List<?>) List.of("a"); int i = l.get(0); return i; });
        attempt(() -> List.of(1, 2).get(2));
        attempt(() -> new java.util.ArrayList<>(List.of(1)).get(1));
        attempt(() -> List.of(1).add(2));
        attempt(() -> new java.util.ArrayDeque<>().pop());
        attempt(() -> List.of().iterator().next());
        attempt(() -> Integer.parseInt("12x"));
        attempt(() -> Integer.parseInt(""));
        attempt(() -> Long.parseLong(null));
        attempt(() -> Double.parseDouble("x.1"));
        attempt(() -> Math.addExact(Integer.MAX_VALUE, 1));
        attempt(() -> Math.toIntExact(1L << 40));
        attempt(() -> java.util.Optional.empty().get());
        attempt(() -> { o.wait(); return 0; });
        attempt(() -> { o.notify(); return 0; });
        attempt(() -> { throw new Error("own", new Exception("cause")); });
        attempt(() -> Class.forName("no.such.Class"));
        attempt(() -> { System.arraycopy(ints, 0, new long[3], 0, 1); return 0; });
        attempt(() -> { System.arraycopy(ints, 2, ints, 0, 2); return 0; });
        attempt(() -> { System.arraycopy("x", 0, ints, 0, 2); return 0; });
    }
}
