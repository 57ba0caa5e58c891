import java.util.*;

/** Copying with wildcards, raw types, generic arrays and exceptions. */
public class Wildcards {
    static <T> void copy(List<? super T> to, List<? extends T> from) { for (T t : from) to.add(t); }
    static <T extends Throwable> void rethrow(Exception e, Class<T> c) throws T { if (c.isInstance(e)) throw c.cast(e); System.out.println("not a " + c.getSimpleName()); }
    static class Pair<A, B> { A a; B b; Pair(A a, B b) { this.a = a; this.b = b; } Pair<B, A> swap() { return new Pair<>(b, a); } static <X extends Comparable<X>> Pair<X, X> ordered(X p, X q) { return p.compareTo(q) <= 0 ? new Pair<>(p, q) : new Pair<>(q, p); } @Override public String toString() { return a + "|" + b; } }
    public static void main(String[] args) {
        List<Object> to = new ArrayList<>(); copy(to, List.of(1, 2)); copy(to, List.of("x")); System.out.println(to);
        try { rethrow(new java.io.IOException("io"), RuntimeException.class); rethrow(new IllegalStateException("st"), RuntimeException.class); } catch (RuntimeException e) { System.out.println(e.getMessage()); }
        System.out.println(new Pair<>(1, "a").swap() + " " + Pair.ordered("z", "b") + " " + Pair.ordered(2.5, 2.5).swap().a.isNaN());
        @SuppressWarnings("unchecked") List<String>[] ls = new List[2]; ls[0] = List.of("q"); Object[] os = ls; os[1] = List.of(5); try { String s = ls[1].get(0); } catch (ClassCastException e) { System.out.println("polluted array"); }
        Map<? extends Number, ? super Integer> m = Map.of(1, "one"); System.out.println(m.get(1));
    }
}
