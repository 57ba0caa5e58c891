import java.util.*;
import java.util.stream.*;

/** The order of effects in lazy pipelines, also with sorted, limit, flatMap and iterators. */
public class Lazy {
    static StringBuilder log = new StringBuilder();
    static <T> T see(String s, T t) { log.append(s).append(t).append(' '); return t; }
    static void flush() { System.out.println(log); log.setLength(0); }
    public static void main(String[] args) {
        Stream<Integer> s = Stream.of(3, 1, 2).map(x -> see("m", x)); flush();
        s.forEach(x -> see("f", x)); flush();
        Stream.of(3, 1, 2).map(x -> see("a", x)).sorted().map(x -> see("b", x)).anyMatch(x -> x > 1); flush();
        Stream.of(1, 2, 3).flatMap(x -> Stream.of(x, x * 10).map(y -> see("in", y))).limit(3).forEach(x -> see("out", x)); flush();
        Iterator<Integer> it = Stream.iterate(1, x -> see("it", x + 1)).filter(x -> x % 2 == 0).iterator(); it.next(); it.next(); flush();
        System.out.println(IntStream.rangeClosed(1, 4).mapToObj(x -> see("p", x)).skip(1).peek(x -> see("k", x)).reduce(0, (a, b) -> a * 10 + b)); flush();
        List<Integer> src = new ArrayList<>(List.of(1, 2)); Stream<Integer> late = src.stream(); src.add(3); System.out.println(late.toList());
    }
}
