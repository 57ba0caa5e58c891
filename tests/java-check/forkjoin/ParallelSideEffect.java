// expect: assertion
// A parallel stream whose function writes a plain field.
// too slow
import java.util.stream.IntStream;

public class ParallelSideEffect {
    static int sum;

    public static void main(String[] args) {
        IntStream.range(0, 4).parallel().forEach(i -> sum += i);
        assert sum == 6; // <- assertion
    }
}
