import java.util.ArrayList;
import java.util.List;
import java.util.function.*;

/** What lambdas capture: locals of each type, this, parameters, loop variables. */
public class Captures {
    private int field = 1;
    private static int counter;
    List<Supplier<Object>> make(byte b, short s, char c, boolean z, int i, long l, float f, double d, String o, int[] a) {
        List<Supplier<Object>> all = new ArrayList<>();
        all.add(() -> b + s + c + i);
        all.add(() -> z ? l : d);
        all.add(() -> d + l + f + o + z + c);
        all.add(() -> a[0]++ + field++);
        all.add(() -> { long x = l; for (int k = 0; k < 3; k++) { int kk = k; Supplier<Integer> in = () -> kk + i + field; x += in.get(); } return x; });
        all.add(() -> this.field + all.size());
        return all;
    }
    static Function<Integer, Function<Integer, Function<Integer, Integer>>> curry() { return a -> b -> c -> a * 100 + b * 10 + c; }
    static IntSupplier counter() { int[] n = {0}; return () -> ++n[0]; }
    static <T> Predicate<T> logged(String name, Predicate<T> p, StringBuilder log) { return t -> { boolean r = p.test(t); log.append(name).append(r ? '+' : '-'); return r; }; }
    static int apply(IntUnaryOperator f, int times, int x) { return times == 0 ? x : apply(f, times - 1, f.applyAsInt(x)); }
    static Runnable recursive;

    public static void main(String[] args) {
        int[] a = {5};
        Captures cap = new Captures();
        var made = cap.make((byte) -1, (short) 300, 'c', true, 7, 1L << 40, 1.5f, 2.25, "str", a);
        for (var s : made) System.out.println(s.get());
        for (var s : made) System.out.print(s.get() + " ");
        System.out.println(a[0] + " " + cap.field);
        System.out.println(curry().apply(1).apply(2).apply(3));
        IntSupplier p = counter(), q = counter();
        System.out.println(p.getAsInt() + p.getAsInt() + q.getAsInt() + " " + p.getAsInt());
        StringBuilder log = new StringBuilder();
        Predicate<Integer> even = logged("e", x -> x % 2 == 0, log), big = logged("b", x -> x > 10, log);
        System.out.println(even.and(big).test(3) + " " + even.or(big).test(4) + " " + even.negate().and(big.negate()).test(5) + " " + Predicate.not(even).test(6) + " " + log);
        System.out.println(apply(x -> x * 3 + 1, 5, 1) + " " + apply(((IntUnaryOperator) x -> x + 1).andThen(x -> x * 2), 3, 1) + " " + apply(IntUnaryOperator.identity(), 9, 4));
        recursive = () -> { if (++counter < 5) recursive.run(); };
        recursive.run();
        List<Runnable> rs = new ArrayList<>();
        for (String s : new String[] {"x", "y"}) for (int i = 0; i < 2; i++) { int j = i; rs.add(() -> System.out.print(s + j + counter + " ")); }
        rs.forEach(Runnable::run);
        System.out.println();
        Function<Object, Object> id = x -> x;
        System.out.println(id.apply(3L) + " " + Function.<String>identity().apply("s") + " " + UnaryOperator.identity().andThen(x -> x + "!").apply(1) + BinaryOperator.<Integer>minBy(Integer::compare).apply(4, 2));
        Supplier<Supplier<String>> nested = () -> { String local = "deep"; return () -> local + counter; };
        counter = 9;
        System.out.println(nested.get().get() + " " + new Object() { int f = 3; IntSupplier s = () -> f * 2; }.s.getAsInt());
    }
}
