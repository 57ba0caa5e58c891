import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.Spliterator;

/** Collections of our own on the abstract classes: what they give for free must work. */
public class CustomCollections {
    static class Range extends AbstractList<Integer> {
        final int from, to;
        Range(int from, int to) { this.from = from; this.to = to; }
        @Override public Integer get(int i) { if (i < 0 || i >= size()) throw new IndexOutOfBoundsException("at " + i); return from + i; }
        @Override public int size() { return to - from; }
    }
    static class Bits extends AbstractSet<Integer> {
        long bits;
        @Override public boolean add(Integer i) { long old = bits; bits |= 1L << i; return bits != old; }
        @Override public boolean contains(Object o) { return o instanceof Integer i && (bits >> i & 1) != 0; }
        @Override public int size() { return Long.bitCount(bits); }
        @Override public Iterator<Integer> iterator() {
            return new Iterator<>() {
                long left = bits, last;
                public boolean hasNext() { return left != 0; }
                public Integer next() { if (left == 0) throw new NoSuchElementException(); last = Long.lowestOneBit(left); left ^= last; return Long.numberOfTrailingZeros(last); }
                public void remove() { bits &= ~last; }
            };
        }
    }
    static class Squares extends AbstractMap<Integer, Integer> {
        @Override public Set<Map.Entry<Integer, Integer>> entrySet() { Set<Map.Entry<Integer, Integer>> s = new java.util.LinkedHashSet<>(); for (int i = 0; i < 5; i++) s.add(Map.entry(i, i * i)); return s; }
    }
    static class Chain<T> implements Iterable<T> {
        T head; Chain<T> tail;
        Chain(T head, Chain<T> tail) { this.head = head; this.tail = tail; }
        public Iterator<T> iterator() { return new Iterator<T>() { Chain<T> at = Chain.this; public boolean hasNext() { return at != null; } public T next() { T t = at.head; at = at.tail; return t; } }; }
    }
    public static void main(String[] args) {
        Range r = new Range(5, 15);
        System.out.println(r + " " + r.indexOf(9) + " " + r.subList(2, 5) + " " + r.contains(15) + " " + r.hashCode() + " " + r.equals(java.util.List.of(5, 6, 7, 8, 9, 10, 11, 12, 13, 14)) + " " + r.stream().mapToInt(i -> i).sum() + r.listIterator(3).previous());
        try { r.add(1); } catch (UnsupportedOperationException e) { System.out.println("unmodifiable"); }
        try { r.get(10); } catch (IndexOutOfBoundsException e) { System.out.println(e.getMessage()); }
        Bits b = new Bits();
        System.out.println(b.addAll(r) + " " + b.add(7) + b.add(63) + " " + b + b.size() + b.removeIf(i -> i % 2 == 0) + b + b.retainAll(Set.of(7, 9, 63)) + b + b.equals(Set.of(63, 9, 7)) + b.hashCode() + b.remove(9) + b.contains(9) + java.util.Arrays.toString(b.toArray(new Integer[5])));
        System.out.println(new Squares() + " " + new Squares().get(3) + new Squares().containsValue(16) + new Squares().keySet() + new Squares().values() + new Squares().hashCode());
        Chain<String> c = new Chain<>("x", new Chain<>("y", new Chain<>("z", null)));
        for (String s : c) System.out.print(s);
        c.forEach(System.out::print);
        Spliterator<String> sp = c.spliterator();
        sp.tryAdvance(s -> System.out.print("<" + s + ">"));
        System.out.println(java.util.stream.StreamSupport.stream(sp, false).toList());
    }
}
