import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Bridge methods, covariant returns, erasure, heap pollution, bounded types. */
public class Bridges {
    static abstract class Shape<T extends Shape<T>> implements Comparable<T> {
        abstract int area();
        abstract T copy();
        public int compareTo(T o) { return Integer.compare(area(), o.area()); }
    }
    static class Square extends Shape<Square> { int s; Square(int s) { this.s = s; } int area() { return s * s; } Square copy() { return new Square(s + 1); } }
    static class Node<T> { T data; Node(T d) { data = d; } void set(T t) { data = t; } T get() { return data; } }
    static class IntNode extends Node<Integer> { int sets; IntNode(int i) { super(i); } @Override void set(Integer i) { sets++; super.set(i + 1); } @Override Integer get() { return super.get() * 10; } }
    interface Source<T> { T next(); }
    static class Count implements Source<Long> { long n; public Long next() { return n++; } }
    static <T extends Comparable<? super T>> T max(List<? extends T> l) { T best = l.get(0); for (T t : l) if (t.compareTo(best) > 0) best = t; return best; }
    static <A, B, C> Function<A, C> compose(Function<? super A, ? extends B> f, Function<? super B, ? extends C> g) { return a -> g.apply(f.apply(a)); }
    static double total(List<? extends Number> l) { double s = 0; for (Number n : l) s += n.doubleValue(); return s; }
    static void fill(List<? super Integer> l) { for (int i = 0; i < 3; i++) l.add(i); }
    @SafeVarargs static <T> List<T> listOf(T... ts) { return new ArrayList<>(java.util.Arrays.asList(ts)); }
    @SuppressWarnings("unchecked") static <T> T cast(Object o) { return (T) o; }
    @SuppressWarnings("unchecked") static <T> T[] array(int n) { return (T[]) new Object[n]; }
    static class Base { Object value() { return "base"; } } static class Mid extends Base { @Override CharSequence value() { return "mid"; } } static class Leaf extends Mid { @Override String value() { return "leaf" + super.value(); } }

    @SuppressWarnings({"rawtypes", "unchecked"})
    public static void main(String[] args) {
        List<Square> squares = listOf(new Square(2), new Square(5), new Square(3));
        System.out.println(max(squares).area() + " " + squares.get(0).copy().area() + " " + ((Comparable<Square>) squares.get(0)).compareTo(squares.get(1)));
        IntNode n = new IntNode(4);
        Node raw = n;
        raw.set(9);
        System.out.println(n.get() + " " + raw.get() + " " + n.sets + " " + n.data);
        try { raw.set("text"); } catch (ClassCastException e) { System.out.println("bridge cast " + n.sets); }
        Source<Long> s = new Count();
        s.next();
        System.out.println(s.next() + 1 + " " + compose((Integer i) -> i + 1, Object::toString).andThen(String::length).apply(99));
        List<Object> os = new ArrayList<>();
        fill(os);
        System.out.println(total(List.of(1, 2.5, 3L)) + " " + os + " " + Bridges.<String>cast("ok").length());
        try { String bad = cast(5); } catch (ClassCastException e) { System.out.println("late cast"); }
        Object fine = Bridges.<String>cast(5);
        try { String[] bad = array(1); } catch (ClassCastException e) { System.out.println("array cast " + fine); }
        List<String> strings = new ArrayList<>();
        ((List) strings).add(7);
        System.out.println(strings.size() + " " + (Object) ((List) strings).get(0) + " " + strings);
        try { strings.get(0).length(); } catch (ClassCastException e) { System.out.println("polluted"); }
        Base b = new Leaf();
        System.out.println(b.value() + " " + ((Mid) b).value().length() + " " + Leaf.class.getDeclaredMethods().length);
        Comparator<String> c = new Comparator<>() { @Override public int compare(String x, String y) { return y.compareTo(x); } };
        try { ((Comparator) c).compare(1, 2); } catch (ClassCastException e) { System.out.println("comparator bridge"); }
        System.out.println(new ArrayList<String>().getClass() == new ArrayList<Integer>().getClass());
    }
}
