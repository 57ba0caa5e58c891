import java.util.*;
import java.util.function.*;

/** Wildcards, recursive bounds, generic methods with inference, visitors, type tokens. */
public class Recursive {
    static abstract class Builder<T, B extends Builder<T, B>> { String name; int size; abstract B self(); abstract T build(); B name(String n) { name = n; return self(); } B size(int s) { size = s; return self(); } }
    static class CarBuilder extends Builder<String, CarBuilder> { int doors; CarBuilder self() { return this; } CarBuilder doors(int d) { doors = d; return this; } String build() { return name + size + doors; } }
    interface Visitor<R> { R num(int n); R add(Node a, Node b); } interface Node { <R> R accept(Visitor<R> v); }
    static Node num(int n) { return new Node() { public <R> R accept(Visitor<R> v) { return v.num(n); } }; }
    static Node add(Node a, Node b) { return new Node() { public <R> R accept(Visitor<R> v) { return v.add(a, b); } }; }
    static class Favourites { private final Map<Class<?>, Object> m = new HashMap<>(); <T> void put(Class<T> c, T t) { m.put(c, c.cast(t)); } <T> T get(Class<T> c) { return c.cast(m.get(c)); } }
    static <K, V extends Comparable<? super V>> List<K> byValue(Map<K, ? extends V> m) { List<K> l = new ArrayList<>(m.keySet()); l.sort((a, b) -> m.get(a).compareTo(m.get(b))); return l; }
    static <T> void swap(List<T> l, int i, int j) { T t = l.get(i); l.set(i, l.get(j)); l.set(j, t); }
    static void swapAny(List<?> l) { swap(l, 0, l.size() - 1); }
    static <T, C extends Collection<? super T>> C into(Iterable<? extends T> from, Supplier<C> make) { C c = make.get(); for (T t : from) c.add(t); return c; }
    static <T extends Number & Comparable<T>> double clamp(T x, T lo, T hi) { return (x.compareTo(lo) < 0 ? lo : x.compareTo(hi) > 0 ? hi : x).doubleValue(); }
    static <A, B> Function<A, B> memo(Function<A, B> f) { Map<A, B> m = new HashMap<>(); return a -> m.computeIfAbsent(a, f); }
    static int calls;
    public static void main(String[] args) {
        System.out.println(new CarBuilder().name("car").size(4).doors(5).build());
        Node n = add(num(1), add(num(2), num(3)));
        System.out.println(n.accept(new Visitor<Integer>() { public Integer num(int n) { return n; } public Integer add(Node a, Node b) { return a.accept(this) + b.accept(this); } }) + n.<String>accept(new Visitor<>() { public String num(int n) { return "" + n; } public String add(Node a, Node b) { return "(" + a.accept(this) + "+" + b.accept(this) + ")"; } }));
        Favourites f = new Favourites();
        f.put(String.class, "s"); f.put(Integer.class, 5);
        System.out.println(f.get(String.class) + f.get(Integer.class) + f.get(Long.class));
        try { ((Favourites) f).put((Class) Integer.class, "bad"); } catch (ClassCastException e) { System.out.println(e.getMessage()); }
        System.out.println(byValue(new TreeMap<>(Map.of("a", 3, "b", 1, "c", 2))));
        List<Object> l = new ArrayList<>(List.of(1, "x", 2.5));
        swapAny(l);
        System.out.println(l + " " + into(List.of(3, 1, 2), TreeSet<Number>::new) + into(Set.of("k"), ArrayList<Object>::new) + clamp(15, 0, 10) + clamp(2.5, 0.0, 9.0));
        Function<Integer, Integer> sq = memo(x -> { calls++; return x * x; });
        System.out.println(sq.apply(4) + sq.apply(4) + sq.apply(5) + " " + calls);
        BinaryOperator<Function<Integer, Integer>> comp = (a, b) -> a.andThen(b);
        System.out.println(List.<Function<Integer, Integer>>of(x -> x + 1, x -> x * 10, x -> x - 3).stream().reduce(Function.identity(), comp).apply(4));
    }
}
