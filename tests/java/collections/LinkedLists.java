import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;

/** LinkedList and ArrayDeque as lists, queues and stacks. */
public class LinkedLists {
    static void use(Deque<Integer> d) {
        for (int i = 0; i < 20; i++) { if (i % 3 == 0) d.addFirst(i); else d.addLast(i); if (i % 5 == 4) d.pollFirst(); }
        System.out.println(d + " " + d.peekFirst() + " " + d.peekLast() + " " + d.size());
        d.push(77); d.offer(78); d.offerFirst(79);
        System.out.println(d.pop() + " " + d.poll() + " " + d.removeLast() + " " + d.element() + " " + d.removeFirstOccurrence(13) + d.removeLastOccurrence(99) + " " + d.contains(10));
        for (Iterator<Integer> it = d.descendingIterator(); it.hasNext(); ) if (it.next() % 2 == 0) it.remove();
        System.out.println(d + " " + d.stream().mapToInt(x -> x).sum());
        while (!d.isEmpty()) d.pollLast();
        System.out.println(d.poll() + " " + d.peek());
        try { d.removeFirst(); } catch (java.util.NoSuchElementException e) { System.out.println("empty"); }
    }
    public static void main(String[] args) {
        use(new LinkedList<>());
        use(new ArrayDeque<>(2));
        LinkedList<String> l = new LinkedList<>(List.of("a", "b", "c", "d"));
        l.add(2, "X");
        l.remove("b");
        l.remove(0);
        l.addAll(1, List.of("p", "q"));
        l.set(3, null);
        System.out.println(l + " " + l.indexOf(null) + " " + l.get(4 - 1) + " " + l.lastIndexOf("d") + " " + l.hashCode());
        java.util.ListIterator<String> it = l.listIterator(2);
        it.add("new");
        it.next();
        it.set("set");
        System.out.println(l + " " + it.nextIndex() + it.previousIndex());
        try { for (String s : l) l.addFirst("!"); } catch (java.util.ConcurrentModificationException e) { System.out.println(l); }
        try { new ArrayDeque<String>().add(null); } catch (NullPointerException e) { System.out.println("no nulls"); }
        ArrayDeque<Integer> ring = new ArrayDeque<>();
        long h = 0;
        for (int i = 0; i < 1000; i++) { ring.addLast(i); if (ring.size() > 17) h = h * 31 + ring.removeFirst(); if (i % 50 == 0) ring.addFirst(-i); }
        System.out.println(h + " " + ring);
        try { l.get(50); } catch (IndexOutOfBoundsException e) { System.out.println(e.getMessage()); }
    }
}
