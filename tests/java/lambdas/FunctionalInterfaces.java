import java.io.Serializable;
import java.util.concurrent.Callable;
import java.util.function.*;

/** Functional interfaces of our own: generic, throwing, inherited, default methods, intersection. */
public class FunctionalInterfaces {
    @FunctionalInterface interface Thrower<T, X extends Exception> { T get() throws X; static <T> T quiet(Thrower<T, ?> t) { try { return t.get(); } catch (Exception e) { System.out.print("[" + e.getMessage() + "]"); return null; } } }
    interface Shape { double area(); default String text() { return getClass().isSynthetic() + " " + area(); } default Shape scale(double k) { return () -> area() * k * k; } }
    interface Named extends Supplier<String> { default String loud() { return get().toUpperCase(); } boolean equals(Object o); }
    interface PrimToRef { Object f(int x); } interface RefToPrim { int f(Object x); } interface Wide { double f(long a, float b, char c); } interface Void { void f(); } interface Gen { <T> T pick(T a, T b); }
    interface Marker { }
    static Object first(Object a, Object b) { return a; }
    static String over(Runnable r) { return "runnable"; }
    static String over(Callable<?> c) { return "callable"; }
    static String over2(Supplier<Integer> s) { return "supplier" + s.get(); }
    static String over2(Function<String, Integer> f) { return "function" + f.apply("four"); }
    public static void main(String[] args) throws Exception {
        System.out.println(Thrower.quiet(() -> "fine") + " " + Thrower.quiet(() -> { throw new java.io.IOException("io"); }) + " " + Thrower.quiet(() -> 1 / (args.length - 0)));
        Shape s = () -> 2.5;
        System.out.println(s.scale(2).scale(3).area() + " " + s.text().endsWith("2.5"));
        Named n = () -> "name";
        System.out.println(n.loud() + " " + n.get() + n.equals(n));
        PrimToRef p = x -> x; RefToPrim r = x -> (Integer) x + 1; Wide w = (a, b, c) -> a + b + c; Void v = () -> System.out.print("void "); Gen g = new Gen() { public <T> T pick(T a, T b) { return b; } };
        v.f();
        System.out.println(p.f(5) + " " + r.f(6) + " " + w.f(1L << 33, 0.5f, 'a') + " " + g.pick("a", 1));
        System.out.println(over(() -> { }) + over(() -> 1) + over(() -> { throw new Exception(); }) + over(() -> { while (true); }) + " " + over2(() -> 3) + over2(String::length));
        Runnable both = (Runnable & Marker & Serializable) () -> System.out.print("intersection ");
        both.run();
        System.out.println((both instanceof Marker) + " " + (both instanceof Serializable));
        Object o = (Function<Integer, Integer>) x -> x + 1;
        System.out.println(((Function<Integer, Integer>) o).apply(41) + " " + (o instanceof Function) + (o instanceof UnaryOperator));
        Callable<Callable<Integer>> cc = () -> () -> 8;
        System.out.println(cc.call().call());
        boolean flag = args.length == 0;
        IntBinaryOperator op = flag ? (a, b) -> a - b : Math::max;
        ObjIntConsumer<String> oc = (t, i) -> System.out.print(t.repeat(i) + " ");
        oc.accept("ab", 3);
        System.out.println(op.applyAsInt(1, 2) + " " + ((DoubleFunction<String>) Double::toString).apply(1) + ((LongFunction<Object>) Long::valueOf).apply(2) + ((IntToDoubleFunction) i -> i / 2).applyAsDouble(5) + ((BooleanSupplier) () -> flag).getAsBoolean() + ((ToLongBiFunction<Integer, Byte>) (a, b) -> a + b).applyAsLong(1, (byte) 2));
        try { ((Function) (Function<String, Integer>) String::length).apply(5); } catch (ClassCastException e) { System.out.println("cast in lambda"); }
        try { ((Supplier<Integer>) () -> null).get().intValue(); } catch (NullPointerException e) { System.out.println("null"); }
        try { IntSupplier is = ((Supplier<Integer>) () -> null)::get; is.getAsInt(); } catch (NullPointerException e) { System.out.println("null unboxed"); }
    }
}
