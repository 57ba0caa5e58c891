import java.util.List;
import java.util.function.*;

/** Every kind of method reference, with every adaptation. */
public class MethodReferences {
    int base = 10;
    int plus(int x) { return base + x; }
    static int twice(int x) { return x * 2; }
    static long wide(long x) { return x << 33; }
    static String join(String... parts) { return String.join("+", parts); }
    static int count(Object... os) { return os.length; }
    static Integer boxes(Integer a, Integer b) { return a * 100 + b; }
    static void effect(Object o) { System.out.print("<" + o + ">"); }
    interface Tri<A, B, C, R> { R apply(A a, B b, C c); }
    static class Parent { String hi() { return "parent"; } }
    static class Kid extends Parent { @Override String hi() { return "kid"; } Supplier<String> up() { return super::hi; } Supplier<String> own() { return this::hi; } }
    class Inner { final int v; Inner(int v) { this.v = v + base; } }
    IntFunction<Inner> maker() { return Inner::new; }

    public static void main(String[] args) {
        MethodReferences m = new MethodReferences();
        IntUnaryOperator bound = m::plus;
        m = new MethodReferences();
        m.base = 50;
        ToIntBiFunction<MethodReferences, Integer> unbound = MethodReferences::plus;
        System.out.println(bound.applyAsInt(1) + " " + unbound.applyAsInt(m, 1));
        Function<Integer, Integer> boxing = MethodReferences::twice;
        IntFunction<Object> boxed = MethodReferences::twice;
        Function<Integer, Long> widening = MethodReferences::wide;
        IntToLongFunction prim = MethodReferences::wide;
        ToDoubleFunction<Integer> toDouble = MethodReferences::twice;
        System.out.println(boxing.apply(4) + " " + boxed.apply(5) + " " + widening.apply(1) + " " + prim.applyAsLong(2) + " " + toDouble.applyAsDouble(3));
        BinaryOperator<Integer> sum = Integer::sum;
        IntBinaryOperator unboxing = MethodReferences::boxes;
        BiFunction<Integer, Integer, Number> max = Math::max;
        System.out.println(sum.apply(1000, 1) + " " + unboxing.applyAsInt(7, 8) + " " + max.apply(3, 9));
        Supplier<String> none = MethodReferences::join;
        BinaryOperator<String> two = MethodReferences::join;
        Tri<Integer, String, Character, Integer> three = MethodReferences::count;
        Function<String[], String> direct = MethodReferences::join;
        System.out.println("[" + none.get() + "] " + two.apply("a", "b") + " " + three.apply(1, "x", 'c') + " " + direct.apply(new String[] {"p", "q"}));
        Supplier<StringBuilder> make = StringBuilder::new;
        Function<String, StringBuilder> makeWith = StringBuilder::new;
        IntFunction<int[]> array = int[]::new;
        Function<Integer, String[][]> arrays = String[][]::new;
        Function<Integer, List<String>> list = java.util.ArrayList::new;
        System.out.println(make.get().append("x") + " " + makeWith.apply("abc").reverse() + " " + array.apply(3).length + " " + arrays.apply(2).length + list.apply(5));
        System.out.println(new Kid().up().get() + " " + new Kid().own().get() + " " + m.maker().apply(5).v);
        Consumer<String> ignores = new java.util.ArrayList<String>()::add;
        ignores.accept("value dropped");
        Consumer<Integer> c = MethodReferences::effect;
        c.andThen(System.out::println).accept(7);
        Function<Object, String> str = Object::toString;
        Function<String, Integer> len = String::length;
        Comparable<String> cmp = "m"::compareTo;
        System.out.println(str.andThen(len).compose((Integer i) -> i * 1000).apply(12) + " " + cmp.compareTo("n") + " " + ((Function<int[], Object>) int[]::clone).apply(new int[] {1}).getClass().getSimpleName());
        MethodReferences nul = null;
        try { Supplier<Integer> s = nul::hashCode; System.out.println("late"); } catch (NullPointerException e) { System.out.println("receiver checked at once"); }
        ToIntFunction<String> parse = Integer::parseInt;
        DoubleUnaryOperator sqrt = Math::sqrt;
        LongSupplier ls = "abc"::length;
        System.out.println(parse.applyAsInt("-12") + " " + sqrt.applyAsDouble(2) + " " + ls.getAsLong() + " " + ((Predicate<String>) String::isEmpty).negate().test("") + ((Supplier<Runnable>) () -> () -> { }).get().getClass().isInterface());
    }
}
