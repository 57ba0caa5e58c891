import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** java.util.Collections and comparators. */
public class CollectionsUtility {
    record Person(String name, int age, Double score) { }
    public static void main(String[] args) {
        List<Integer> l = new ArrayList<>(List.of(4, 1, 3, 5, 2, 6));
        Collections.reverse(l); System.out.print(l);
        Collections.swap(l, 0, 5); System.out.print(l);
        Collections.rotate(l, 2); System.out.print(l);
        Collections.rotate(l, -15); System.out.print(l);
        Collections.sort(l, Collections.reverseOrder()); System.out.print(l);
        Collections.shuffle(l, new java.util.Random(11)); System.out.println(l);
        System.out.println(Collections.max(l) + " " + Collections.min(l, Comparator.comparing(x -> -x)) + " " + Collections.frequency(List.of(1, 2, 1), 1) + " " + Collections.nCopies(3, "z") + " " + Collections.disjoint(Set.of(1), Set.of(2)) + " " + Collections.indexOfSubList(List.of(1, 2, 3, 2, 3), List.of(2, 3)) + Collections.lastIndexOfSubList(List.of(1, 2, 3, 2, 3), List.of(2, 3)));
        Collections.sort(l);
        System.out.println(Collections.binarySearch(l, 4) + " " + Collections.binarySearch(l, 99) + " " + Collections.singletonList(7) + Collections.emptyMap() + Collections.unmodifiableList(l).getClass().getSimpleName() + " " + Collections.replaceAll(l, 3, 33) + l);
        Collections.fill(l.subList(0, 2), 0);
        Collections.addAll(l, 9, 8);
        System.out.println(l + " " + Collections.list(Collections.enumeration(l)).size());
        List<Person> ps = new ArrayList<>(List.of(new Person("bob", 30, 1.5), new Person("al", 25, null), new Person("cy", 30, 0.5), new Person("dee", 25, 9.0)));
        ps.sort(Comparator.comparingInt(Person::age).thenComparing(Person::name, Comparator.reverseOrder()));
        ps.forEach(p -> System.out.print(p.name() + " "));
        ps.sort(Comparator.comparing(Person::score, Comparator.nullsFirst(Comparator.naturalOrder())));
        ps.forEach(p -> System.out.print(p.name() + " "));
        ps.sort(Comparator.comparing(Person::score, Comparator.nullsLast(Comparator.reverseOrder())).reversed());
        ps.forEach(p -> System.out.print(p.name() + " "));
        ps.sort(Comparator.<Person, Integer>comparing(p -> p.name().length()).thenComparingDouble(p -> p.score() == null ? 0 : -p.score()));
        System.out.println(ps);
        for (Runnable r : new Runnable[] {() -> List.of(1).set(0, 2), () -> List.of((Object) null), () -> List.of(1).contains(null), () -> Set.of(1, 1), () -> Collections.emptyList().add(null), () -> List.copyOf(Arrays.asList(1, null)), () -> Collections.max(List.<Integer>of())})
            try { r.run(); System.out.println("fine"); } catch (RuntimeException e) { System.out.println(e.getClass().getSimpleName() + " " + (e instanceof IllegalArgumentException ? e.getMessage() : "")); }
        List<Integer> source = new ArrayList<>(List.of(1, 2)), copy = List.copyOf(source), view = Collections.unmodifiableList(source);
        source.add(3);
        System.out.println(copy + " " + view + " " + (List.copyOf(copy) == copy));
        List<Object> checked = Collections.checkedList(new ArrayList<>(), (Class<Object>) (Class<?>) String.class);
        try { checked.add(1); } catch (ClassCastException e) { System.out.println(e.getMessage()); }
    }
}
