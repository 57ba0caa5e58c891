import java.util.*;
import java.util.function.*;
import java.util.stream.*;

/** Boxing, unboxing and widening in lambdas and method references of primitive interfaces. */
public class BoxingAdaptations {
    static byte b(byte x) { return (byte) (x + 1); } static short s(int x) { return (short) x; } static char c(int x) { return (char) x; } static float f(float x) { return x / 2; } static Integer I(int x) { return x; } static long L(Object o) { return o.hashCode(); } static double D(Number n) { return n.doubleValue(); } static boolean Z(Boolean b) { return !b; } static Object O(char c) { return c; } static void V(long l, Double d) { System.out.print(l + d + " "); }
    interface ByteOp { byte f(byte x); } interface ToObj<T> { Object f(T t); } interface LD { void f(long l, double d); } interface IntToLong { long f(int x); } interface CharToInt { int f(char c); } interface ShortToObj { Object f(short s); }
    public static void main(String[] args) {
        ByteOp bo = BoxingAdaptations::b; IntToLong il = BoxingAdaptations::s; IntToDoubleFunction id = BoxingAdaptations::f; CharToInt ci = BoxingAdaptations::c; ToIntFunction<Integer> ti = BoxingAdaptations::I; IntUnaryOperator iu = BoxingAdaptations::I; ToDoubleFunction<Integer> td = BoxingAdaptations::D; IntToDoubleFunction itd = BoxingAdaptations::D; Predicate<Boolean> z = BoxingAdaptations::Z; Function<Character, Object> o = BoxingAdaptations::O; ToLongFunction<String> tl = BoxingAdaptations::L; IntToLongFunction itl = BoxingAdaptations::L; LD ld = BoxingAdaptations::V; ShortToObj so = Integer::valueOf; ToObj<Integer> to = Long::valueOf;
        System.out.println(bo.f((byte) 127) + " " + il.f(70000) + " " + id.applyAsDouble(3) + " " + ci.f('x') + " " + ti.applyAsInt(5) + iu.applyAsInt(6) + " " + td.applyAsDouble(7) + itd.applyAsDouble(8) + z.test(true) + o.apply('q') + " " + tl.applyAsLong("hash") + " " + itl.applyAsLong(99) + so.f((short) -3).getClass().getSimpleName() + to.f(4).getClass().getSimpleName());
        ld.f(1L << 40, 0.5);
        Supplier<Long> sl = () -> 5L; LongSupplier ls = sl::get; DoubleSupplier ds = ls::getAsLong; Supplier<Object> sob = ls::getAsLong; IntSupplier is = "abc"::length; Supplier<Integer> si = is::getAsInt; BooleanSupplier bs = List.of(1)::isEmpty;
        System.out.println(ls.getAsLong() + " " + ds.getAsDouble() + " " + sob.get() + si.get() + bs.getAsBoolean());
        System.out.println(Stream.of(1, 2, 3).mapToInt(Integer::intValue).mapToObj(Integer::toString).map(Integer::valueOf).mapToDouble(Integer::doubleValue).boxed().map(Double::intValue).reduce(Integer::sum).get() + " " + IntStream.range(0, 3).mapToLong(i -> i).mapToObj(Long::toHexString).collect(Collectors.joining()) + " " + Stream.of('a', 'b').mapToInt(ch -> ch).sum() + " " + Stream.of(1, 2).map(x -> (double) x).toList() + Stream.of(3L, 1L).sorted(Long::compare).toList() + Stream.of(2, 1).max(Integer::compareTo).get());
        Map<String, Integer> m = new TreeMap<>();
        for (String w : "a b a".split(" ")) m.merge(w, 1, Math::addExact);
        m.replaceAll((k, v) -> v * k.charAt(0));
        m.computeIfPresent("b", (k, v) -> v - 1);
        System.out.println(m + " " + m.values().stream().mapToInt(i -> i).max().getAsInt());
        Integer big = 1000, same = 1000; long sum = big + same; Long boxed = sum; boolean eq = boxed == 2000; Object ob = eq ? 1 : "x"; int i = (Integer) ob; double d = (Integer) ob; Character ch = 'a'; int plus = ch + 1; ch++; short sh = (byte) 300; Byte by = (byte) 5; int wid = by; Number n = true ? Integer.valueOf(1) : Double.valueOf(2);
        System.out.println(sum + " " + eq + i + d + plus + ch + sh + wid + n + (big.equals(same)) + big.compareTo(999) + boxed.equals(2000) + boxed.equals(2000L) + (boxed.intValue() == 2000));
        List<Integer> li = new ArrayList<>(List.of(10, 20, 30));
        li.remove(1); li.remove((Integer) 10);
        Set<Long> set = new HashSet<>(List.of(1L));
        System.out.println(li + " " + set.contains(1) + set.contains(1L) + new HashSet<Short>(Set.of((short) 1)).remove(1) + Integer.valueOf(127).equals(127) + new ArrayList<>(List.of(1, 2L, 'c', 2.0f)).contains(2L));
    }
}
