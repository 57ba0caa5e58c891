import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Streams: lazy, short-circuiting, sorted, flat; reductions of every kind. */
public class Basics {
    public static void main(String[] args) {
        List<String> words = List.of("delta", "alpha", "charlie", "bravo", "echo", "alpha");
        System.out.println(words.stream().filter(w -> w.length() == 5).map(String::toUpperCase).sorted().distinct().collect(Collectors.toList()));
        StringBuilder log = new StringBuilder();
        Optional<String> first = words.stream().peek(w -> log.append(w.charAt(0))).filter(w -> w.startsWith("c")).peek(w -> log.append('!')).findFirst();
        System.out.println(first.get() + " " + log);
        log.setLength(0);
        words.stream().sorted().peek(w -> log.append(w.charAt(0))).limit(3).forEach(w -> log.append('.'));
        System.out.println(log);
        System.out.println(Stream.iterate(1, x -> x * 3).limit(6).toList() + " " + Stream.iterate(1, x -> x < 100, x -> x * 4).toList() + " " + Stream.generate(() -> "g").limit(2).toList() + Stream.of(1, 2, 3, 4, 1).takeWhile(x -> x < 4).toList() + Stream.of(1, 2, 3, 4, 1).dropWhile(x -> x < 3).toList() + Stream.concat(Stream.of(1), Stream.empty()).toList());
        System.out.println(Stream.of(List.of(1, 2), List.<Integer>of(), List.of(3)).flatMap(List::stream).map(x -> x + 1).reduce(0, Integer::sum) + " " + Stream.of(5, 3, 9).reduce(Math::max).get() + " " + Stream.of("a", "bb", "ccc").reduce(0, (n, s) -> n + s.length(), Integer::sum) + " " + Stream.<Integer>empty().reduce(Integer::sum));
        System.out.println(IntStream.rangeClosed(1, 5).mapToObj(i -> "x".repeat(i)).toList() + " " + IntStream.range(0, 10).filter(i -> i % 3 == 0).boxed().toList() + " " + IntStream.of(3, 1, 2).sorted().boxed().map(String::valueOf).collect(Collectors.joining("<", "[", "]")) + IntStream.range(5, 5).max());
        System.out.println(words.stream().anyMatch(w -> w.isEmpty()) + " " + words.stream().allMatch(w -> w.length() > 3) + " " + words.stream().noneMatch("zulu"::equals) + " " + Stream.empty().allMatch(x -> false) + " " + words.stream().count() + " " + words.stream().skip(4).toList() + words.stream().min(Comparator.comparing(String::length)).get() + words.stream().max(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder())).get());
        System.out.println(IntStream.range(0, 100).average().getAsDouble() + " " + IntStream.range(0, 5).summaryStatistics() + " " + Stream.of(1.5, 2.5).mapToDouble(x -> x).sum() + " " + Stream.of(1L, 2L).mapToLong(Long::longValue).map(x -> x << 40).sum() + " " + IntStream.range(0, 4).mapToDouble(i -> i / 4.0).boxed().toList() + IntStream.rangeClosed(1, 20).asLongStream().reduce(1, (a, b) -> a * b) + " " + "hello".chars().mapToObj(c -> (char) c).toList());
        System.out.println(Arrays.toString(words.stream().toArray(String[]::new)) + Arrays.toString(Stream.of(1, 2).mapToInt(x -> x).toArray()) + Arrays.stream(new double[] {1, 2}).map(Math::sqrt).sum());
        Stream<String> once = words.stream();
        once.count();
        try { once.count(); } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
        System.out.println(Stream.of(1, 2, 3).<String>mapMulti((x, sink) -> { for (int i = 0; i < x; i++) sink.accept(x + "" + i); }).toList());
        try { Stream.of(1).toList().add(2); } catch (UnsupportedOperationException e) { System.out.println("unmodifiable"); }
        boolean[] closed = new boolean[1];
        try (Stream<Integer> s = Stream.of(1).onClose(() -> closed[0] = true)) { s.forEach(x -> { }); }
        System.out.println(closed[0] + " " + Stream.of(3, 1, 2).sorted(Comparator.reverseOrder()).toList() + Stream.of("b", "a").unordered().sorted().findAny().get() + Stream.ofNullable(null).count());
        var it = IntStream.iterate(1, x -> x + x).iterator();
        System.out.println(it.nextInt() + it.nextInt() + it.next() + " " + IntStream.concat(IntStream.of(1), IntStream.of(2)).boxed().collect(Collectors.toSet()));
    }
}
