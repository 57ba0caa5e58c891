import java.util.*;
import java.util.function.*;

/** Functions as values: composition, church numerals, lazy lists, continuations, event handlers. */
public class Currying {
    interface Church { <T> UnaryOperator<T> apply(UnaryOperator<T> f); }
    static Church num(int n) { return new Church() { public <T> UnaryOperator<T> apply(UnaryOperator<T> f) { return x -> { T r = x; for (int i = 0; i < n; i++) r = f.apply(r); return r; }; } }; }
    static int value(Church c) { return c.<Integer>apply(x -> x + 1).apply(0); }
    static Church plus(Church a, Church b) { return new Church() { public <T> UnaryOperator<T> apply(UnaryOperator<T> f) { return x -> a.apply(f).apply(b.apply(f).apply(x)); } }; }
    static Church times(Church a, Church b) { return new Church() { public <T> UnaryOperator<T> apply(UnaryOperator<T> f) { return a.apply(b.apply(f)); } }; }
    static class Lazy<T> { final T head; private Supplier<Lazy<T>> tail; private Lazy<T> forced; static int forces; Lazy(T h, Supplier<Lazy<T>> t) { head = h; tail = t; } Lazy<T> tail() { if (forced == null) { forces++; forced = tail.get(); tail = null; } return forced; } Lazy<T> filter(Predicate<T> p) { return p.test(head) ? new Lazy<>(head, () -> tail().filter(p)) : tail().filter(p); } List<T> take(int n) { List<T> l = new ArrayList<>(); for (Lazy<T> at = this; ; at = at.tail()) { l.add(at.head); if (--n == 0) return l; } } }
    static Lazy<Integer> from(int n) { return new Lazy<>(n, () -> from(n + 1)); }
    static Lazy<Integer> sieve(Lazy<Integer> l) { return new Lazy<>(l.head, () -> sieve(l.tail().filter(x -> x % l.head != 0))); }
    static void fact(int n, IntConsumer k) { if (n == 0) k.accept(1); else fact(n - 1, r -> k.accept(n * r)); }
    static <A, B, C> Function<A, Function<B, C>> curry(BiFunction<A, B, C> f) { return a -> b -> f.apply(a, b); }
    static <A, B, C> BiFunction<A, B, C> uncurry(Function<A, Function<B, C>> f) { return (a, b) -> f.apply(a).apply(b); }
    static <T> Supplier<T> once(Supplier<T> s) { Object[] box = {null, false}; return () -> { if (!(boolean) box[1]) { box[0] = s.get(); box[1] = true; } @SuppressWarnings("unchecked") T t = (T) box[0]; return t; }; }
    public static void main(String[] args) {
        System.out.println(value(num(5)) + " " + value(plus(num(2), num(3))) + " " + value(times(num(6), num(7))) + " " + num(3).<String>apply(s -> s + "!").apply("hey"));
        System.out.println(sieve(from(2)).take(15) + " " + Lazy.forces);
        fact(10, r -> System.out.println(r));
        System.out.println(curry((Integer a, Integer b) -> Math.max(a, b)).apply(3).apply(9) + " " + uncurry(curry((String a, Integer b) -> a.repeat(b))).apply("ab", 3));
        int[] n = {0};
        Supplier<Integer> s = once(() -> ++n[0]);
        System.out.println(s.get() + s.get() + n[0]);
        Map<String, List<Consumer<String>>> handlers = new TreeMap<>();
        StringBuilder log = new StringBuilder();
        for (String e : new String[] {"click", "key"}) for (int i = 0; i < 2; i++) { int id = i; handlers.computeIfAbsent(e, k -> new ArrayList<>()).add(x -> log.append(e).append(id).append(x).append(' ')); }
        handlers.forEach((k, hs) -> hs.forEach(h -> h.accept(k.toUpperCase())));
        System.out.println(log);
        Function<Double, Function<Double, Double>> derive = null;
        DoubleUnaryOperator sq = x -> x * x;
        Function<DoubleUnaryOperator, DoubleUnaryOperator> d = f -> x -> (f.applyAsDouble(x + 0.5) - f.applyAsDouble(x - 0.5));
        System.out.println(d.apply(sq).applyAsDouble(3) + " " + d.apply(d.apply(sq)).applyAsDouble(7) + " " + sq.compose(Math::abs).andThen(x -> -x).applyAsDouble(-4));
        BooleanSupplier[] bs = {() -> log.isEmpty(), () -> !bsAny(log)};
        for (BooleanSupplier b : bs) System.out.print(b.getAsBoolean() + " ");
        System.out.println();
    }
    static boolean bsAny(CharSequence c) { return c.length() > 3; }
}
