import java.util.*;

/** Sequenced collections of Java 21. */
public class Sequenced {
    public static void main(String[] args) {
        List<Integer> l = new ArrayList<>(List.of(1, 2, 3));
        l.addFirst(0); l.addLast(4);
        System.out.println(l.getFirst() + " " + l.getLast() + l.reversed() + l.removeFirst() + l.removeLast() + l);
        l.reversed().add(99);
        System.out.println(l + " " + l.reversed().subList(0, 2) + l.reversed().indexOf(99));
        LinkedHashMap<String, Integer> m = new LinkedHashMap<>(Map.of("a", 1));
        m.putFirst("z", 26); m.putLast("b", 2);
        System.out.println(m + " " + m.firstEntry() + m.lastEntry() + m.reversed() + m.pollFirstEntry() + m.sequencedKeySet().reversed());
        LinkedHashSet<Integer> s = new LinkedHashSet<>(List.of(3, 1, 2));
        s.addFirst(2);
        System.out.println(s + " " + s.reversed() + s.getLast() + s.removeFirst());
        System.out.println(new TreeSet<>(s).reversed() + " " + new ArrayDeque<>(l).reversed() + new LinkedList<>(l).reversed());
        try { List.of().getFirst(); } catch (NoSuchElementException e) { System.out.println("empty"); }
        try { new TreeSet<>(s).addFirst(1); } catch (UnsupportedOperationException e) { System.out.println("sorted"); }
        System.out.println("a-b-c".splitWithDelimiters("-", 0).length + " " + new StringBuilder("x").repeat("ab", 2) + " " + "hello".indexOf('l', 0, 3) + Character.toString(Character.isEmoji(0x1F600) ? 'e' : 'n') + Math.clamp(15L, 0, 10) + Math.ceilDiv(7, 2) + Character.valueOf('c'));
    }
}
