import java.util.Iterator;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/** A generic red-black-free tree, a persistent list and an either type of our own. */
public class Containers {
    static abstract class Seq<T> implements Iterable<T> {
        abstract boolean empty(); abstract T head(); abstract Seq<T> tail();
        static <T> Seq<T> nil() { return new Seq<>() { boolean empty() { return true; } T head() { throw new IllegalStateException("nil"); } Seq<T> tail() { throw new IllegalStateException("nil"); } }; }
        static <T> Seq<T> cons(T h, Seq<T> t) { return new Seq<>() { boolean empty() { return false; } T head() { return h; } Seq<T> tail() { return t; } }; }
        @SafeVarargs static <T> Seq<T> of(T... ts) { Seq<T> s = nil(); for (int i = ts.length; i-- > 0; ) s = cons(ts[i], s); return s; }
        <R> Seq<R> map(Function<? super T, ? extends R> f) { return empty() ? nil() : cons(f.apply(head()), tail().map(f)); }
        Seq<T> filter(Predicate<? super T> p) { return empty() ? this : p.test(head()) ? cons(head(), tail().filter(p)) : tail().filter(p); }
        <R> R fold(R z, BiFunction<? super R, ? super T, ? extends R> f) { R r = z; for (T t : this) r = f.apply(r, t); return r; }
        <R> Seq<R> flatMap(Function<? super T, Seq<R>> f) { return fold(Seq.<R>nil(), (acc, t) -> f.apply(t).fold(acc, (a, x) -> cons(x, a))).reverse(); }
        Seq<T> reverse() { return fold(Seq.<T>nil(), (a, t) -> cons(t, a)); }
        public Iterator<T> iterator() { return new Iterator<>() { Seq<T> at = Seq.this; public boolean hasNext() { return !at.empty(); } public T next() { T t = at.head(); at = at.tail(); return t; } }; }
        @Override public String toString() { StringBuilder b = new StringBuilder("<"); for (T t : this) b.append(t).append(' '); return b.append('>').toString(); }
    }
    static class Tree<K extends Comparable<K>, V> {
        private class Node { K k; V v; Node l, r; int size = 1; Node(K k, V v) { this.k = k; this.v = v; } }
        private Node root;
        void put(K k, V v) { root = put(root, k, v); }
        private Node put(Node n, K k, V v) { if (n == null) return new Node(k, v); int c = k.compareTo(n.k); if (c < 0) n.l = put(n.l, k, v); else if (c > 0) n.r = put(n.r, k, v); else n.v = v; n.size = 1 + size(n.l) + size(n.r); return n; }
        private int size(Node n) { return n == null ? 0 : n.size; }
        Optional<V> get(K k) { for (Node n = root; n != null; ) { int c = k.compareTo(n.k); if (c == 0) return Optional.ofNullable(n.v); n = c < 0 ? n.l : n.r; } return Optional.empty(); }
        int rank(K k) { int r = 0; for (Node n = root; n != null; ) if (k.compareTo(n.k) <= 0) n = n.l; else { r += 1 + size(n.l); n = n.r; } return r; }
    }
    static abstract class Either<L, R> {
        abstract <X> X fold(Function<? super L, ? extends X> l, Function<? super R, ? extends X> r);
        static <L, R> Either<L, R> left(L v) { return new Either<>() { <X> X fold(Function<? super L, ? extends X> l, Function<? super R, ? extends X> r) { return l.apply(v); } }; }
        static <L, R> Either<L, R> right(R v) { return new Either<>() { <X> X fold(Function<? super L, ? extends X> l, Function<? super R, ? extends X> r) { return r.apply(v); } }; }
        <S> Either<L, S> then(Function<? super R, Either<L, S>> f) { return fold(Either::left, f); }
    }
    static Either<String, Integer> parse(String s) { try { return Either.right(Integer.parseInt(s)); } catch (NumberFormatException e) { return Either.left("bad " + s); } }

    public static void main(String[] args) {
        Seq<Integer> s = Seq.of(5, 1, 4, 2);
        System.out.println(s + " " + s.map(x -> x * 1.5) + s.filter(x -> x > 1).reverse() + s.fold("", (a, x) -> a + x) + s.flatMap(x -> Seq.of(x, -x)) + Seq.nil());
        try { Seq.nil().head(); } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
        Tree<String, Integer> t = new Tree<>();
        for (String w : "m f t b h p w f".split(" ")) t.put(w, w.hashCode());
        System.out.println(t.get("h") + " " + t.get("z") + " " + t.rank("p") + t.root.size);
        for (String w : new String[] {"12", "x", "0"}) System.out.println(Containers.parse(w).then(n -> n == 0 ? Either.<String, Integer>left("zero") : Either.right(100 / n)).<String>fold(l -> "left " + l, r -> "right " + r));
    }
}
