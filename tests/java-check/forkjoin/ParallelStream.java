// expect: holds
// A parallel stream in the caller and in the common pool.
// too slow
import java.util.stream.IntStream;

public class ParallelStream {
    public static void main(String[] args) {
        assert IntStream.range(0, 4).parallel().sum() == 6;
    }
}
