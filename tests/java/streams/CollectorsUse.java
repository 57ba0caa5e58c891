import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Collectors: grouping, partitioning, maps, teeing, and one of our own. */
public class CollectorsUse {
    enum Dept { DEV, OPS, HR }
    record Emp(String name, Dept dept, int pay, double rating) { }

    public static void main(String[] args) {
        List<Emp> all = List.of(new Emp("ann", Dept.DEV, 100, 4.5), new Emp("bob", Dept.OPS, 80, 3.5), new Emp("cid", Dept.DEV, 120, 4.0), new Emp("dan", Dept.HR, 70, 2.0), new Emp("eve", Dept.OPS, 95, 5.0));
        System.out.println("" + all.stream().collect(Collectors.groupingBy(Emp::dept, TreeMap::new, Collectors.mapping(Emp::name, Collectors.toList()))));
        System.out.println(all.stream().collect(Collectors.groupingBy(e -> e.pay() / 50, Collectors.counting())));
        System.out.println(all.stream().collect(Collectors.partitioningBy(e -> e.pay() > 90, Collectors.mapping(Emp::name, Collectors.joining("+")))));
        System.out.println(all.stream().collect(Collectors.toMap(Emp::name, Emp::pay)) + " " + all.stream().collect(Collectors.toMap(Emp::dept, Emp::pay, Integer::sum, LinkedHashMap::new)));
        try { all.stream().collect(Collectors.toMap(Emp::dept, Emp::name)); } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
        System.out.println(all.stream().collect(Collectors.averagingInt(Emp::pay)) + " " + all.stream().collect(Collectors.summingDouble(Emp::rating)) + " " + all.stream().collect(Collectors.summarizingInt(Emp::pay)) + " " + all.stream().collect(Collectors.summarizingDouble(Emp::rating)));
        System.out.println("" + all.stream().collect(Collectors.groupingBy(Emp::dept, TreeMap::new, Collectors.collectingAndThen(Collectors.maxBy((a, b) -> Integer.compare(a.pay(), b.pay())), o -> o.get().name()))));
        System.out.println(all.stream().collect(Collectors.teeing(Collectors.counting(), Collectors.summingInt(Emp::pay), (n, s) -> s / (double) n)) + " " + all.stream().collect(Collectors.filtering(e -> e.rating() > 3.9, Collectors.counting())) + " " + all.stream().map(Emp::name).collect(Collectors.reducing("", (a, b) -> a + b)) + " " + all.stream().collect(Collectors.flatMapping(e -> e.name().chars().mapToObj(c -> (char) c), Collectors.toCollection(TreeSet::new))));
        Map<Dept, Map<Boolean, List<String>>> nested = all.stream().collect(Collectors.groupingBy(Emp::dept, () -> new java.util.EnumMap<>(Dept.class), Collectors.partitioningBy(e -> e.name().compareTo("bz") < 0, Collectors.mapping(e -> e.name().substring(1), Collectors.toList()))));
        System.out.println(nested);
        Collector<Integer, ?, List<Integer>> runs = Collector.of(ArrayList::new, (List<Integer> l, Integer x) -> { if (l.isEmpty() || l.get(l.size() - 1) < x) l.add(x); }, (a, b) -> { a.addAll(b); return a; });
        System.out.println(Stream.of(1, 5, 3, 7, 7, 9, 2).collect(runs));
        System.out.println(Stream.of("one", "two", "three").collect(Collectors.toMap(Function.identity(), String::length)) + " " + Stream.of(1, 2, 3).collect(StringBuilder::new, StringBuilder::append, StringBuilder::append).reverse() + " " + Stream.of(3, 3, 4).collect(Collectors.toUnmodifiableSet()).size() + Stream.of(1, 2).collect(Collectors.toUnmodifiableList()));
        System.out.println("" + "mississippi".chars().mapToObj(c -> String.valueOf((char) c)).collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting())));
        System.out.println(Stream.of("x").collect(Collectors.joining()) + Stream.<String>empty().collect(Collectors.joining(",", "{", "}")) + Stream.of(4, 2, 8).collect(Collectors.minBy(Integer::compare)).get());
        System.out.println(all.stream().sorted(java.util.Comparator.comparingDouble(Emp::rating).reversed()).limit(2).map(Emp::name).toList() + " " + all.stream().mapToDouble(Emp::rating).max().getAsDouble() + all.stream().map(Emp::dept).distinct().sorted().toList());
    }
}
