import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;

/** ArrayList: growth, sublists, iterators, failing fast. */
public class ArrayLists {
    public static void main(String[] args) {
        List<Integer> l = new ArrayList<>();
        for (int i = 0; i < 100; i++) l.add(i * 37 % 101);
        l.remove(5);
        l.remove(Integer.valueOf(74));
        l.add(0, -1);
        l.addAll(3, List.of(1000, 1001));
        l.set(1, 500);
        System.out.println(l.size() + " " + l.indexOf(1000) + " " + l.lastIndexOf(-1) + " " + l.contains(74) + " " + l.hashCode() + " " + l.subList(0, 8));
        List<Integer> sub = l.subList(10, 20);
        sub.replaceAll(x -> x * 2);
        sub.subList(2, 4).clear();
        sub.add(7);
        System.out.println(sub + " " + l.size() + " " + l.get(18));
        l.removeIf(x -> x % 2 == 0);
        l.sort(null);
        System.out.println(l);
        try { for (Integer x : l) if (x > 10) l.remove(x); } catch (ConcurrentModificationException e) { System.out.println("modified " + l.size()); }
        try { sub.size(); } catch (ConcurrentModificationException e) { System.out.println("sublist stale"); }
        for (Iterator<Integer> it = l.iterator(); it.hasNext(); ) if (it.next() % 3 == 0) it.remove();
        ListIterator<Integer> li = l.listIterator(l.size());
        StringBuilder b = new StringBuilder();
        while (li.hasPrevious()) { int x = li.previous(); if (x > 90) li.set(-x); else if (x < 10) li.add(x * 100); else b.append(x).append(' '); if (x < 10) li.previous(); }
        System.out.println(b + " " + l);
        try { l.iterator().remove(); } catch (IllegalStateException e) { System.out.println("no next yet"); }
        List<String> fixed = Arrays.asList("c", "a", "b");
        Collections.sort(fixed);
        fixed.set(0, "z");
        try { fixed.add("x"); } catch (UnsupportedOperationException e) { System.out.println("fixed " + fixed); }
        System.out.println(Arrays.toString(l.toArray(new Integer[0])).length() + " " + l.toArray().getClass().getSimpleName() + " " + l.equals(new ArrayList<>(l)) + new ArrayList<>(l).retainAll(List.of(1000, 500)) + l.containsAll(List.of(11)));
        List<Object> self = new ArrayList<>();
        self.add(self);
        self.add(null);
        System.out.println(self);
        int last = 0;
        try { for (Integer x : l) { last = x; if (l.indexOf(x) == l.size() - 2) l.remove(x); } System.out.println("not noticed at the end"); } catch (ConcurrentModificationException e) { System.out.println(last); }
        l.forEach(x -> { if (x == 11) System.out.println("eleven"); });
    }
}
