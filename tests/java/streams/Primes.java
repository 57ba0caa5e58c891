import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Small computations by streams alone. */
public class Primes {
    static boolean prime(int n) { return n > 1 && IntStream.rangeClosed(2, (int) Math.sqrt(n)).noneMatch(d -> n % d == 0); }
    static Stream<List<Integer>> permutations(List<Integer> l) {
        if (l.isEmpty()) return Stream.of(List.of());
        return l.stream().flatMap(x -> permutations(l.stream().filter(y -> !y.equals(x)).toList()).map(p -> Stream.concat(Stream.of(x), p.stream()).toList()));
    }
    public static void main(String[] args) {
        System.out.println(IntStream.range(0, 60).filter(Primes::prime).boxed().map(Object::toString).collect(Collectors.joining(",")));
        System.out.println(Stream.iterate(new long[] {0, 1}, f -> new long[] {f[1], f[0] + f[1]}).mapToLong(f -> f[0]).limit(15).boxed().toList());
        System.out.println(permutations(List.of(1, 2, 3)).toList() + " " + permutations(List.of(1, 2, 3, 4, 5)).filter(p -> p.get(0) < p.get(4)).count());
        System.out.println(IntStream.rangeClosed(1, 12).boxed().flatMap(a -> IntStream.rangeClosed(a, 12).mapToObj(b -> new double[] {a, b, Math.sqrt(a * a + b * b)})).filter(t -> t[2] % 1 == 0).map(t -> "(" + (int) t[0] + " " + (int) t[1] + " " + (int) t[2] + ")").collect(Collectors.joining()));
        System.out.println(LongStream.rangeClosed(1, 15).reduce(1L, (a, b) -> a * b) + " " + LongStream.range(0, 1000).filter(x -> x % 7 == 3).map(x -> x * x).sum() + " " + LongStream.of(5, 2).boxed().sorted().toList());
        IntPredicate even = i -> i % 2 == 0, big = i -> i > 10;
        System.out.println(IntStream.range(0, 20).filter(even.and(big.negate()).or(i -> i == 17)).boxed().toList());
        String text = "it was the best of times it was the worst of times";
        System.out.println(Stream.of(text.split(" ")).collect(Collectors.groupingBy(w -> w, Collectors.counting())).entrySet().stream().sorted(java.util.Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(java.util.Map.Entry.comparingByKey())).limit(4).map(e -> e.getKey() + "=" + e.getValue()).toList());
        int[][] matrix = {{1, 2, 3}, {4, 5, 6}};
        System.out.println(IntStream.range(0, 3).mapToObj(c -> IntStream.range(0, 2).map(r -> matrix[r][c]).boxed().toList()).toList() + " " + java.util.Arrays.stream(matrix).flatMapToInt(java.util.Arrays::stream).sum());
        System.out.println(IntStream.iterate(27, n -> n != 1, n -> n % 2 == 0 ? n / 2 : 3 * n + 1).count() + " " + IntStream.rangeClosed('a', 'f').mapToObj(c -> "" + (char) c).collect(Collectors.collectingAndThen(Collectors.toList(), l -> { java.util.Collections.reverse(l); return l; })));
        System.out.println(Stream.of(5, 1, 4).sorted().map(x -> x * 2).mapToInt(Integer::intValue).asDoubleStream().map(d -> d / 4).boxed().toList() + " " + IntStream.range(0, 1000).limit(100).skip(95).boxed().toList() + IntStream.range(0, 10).parallel().sequential().sum());
    }
}
