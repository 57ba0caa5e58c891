// expect: holds
// A LongAccumulator keeps the largest value.
import java.util.concurrent.atomic.LongAccumulator;

public class Accumulator {
    public static void main(String[] args) throws InterruptedException {
        LongAccumulator largest = new LongAccumulator(Long::max, Long.MIN_VALUE);
        Thread other = new Thread(() -> largest.accumulate(7));
        other.start();
        largest.accumulate(5);
        other.join();
        assert largest.get() == 7;
    }
}
