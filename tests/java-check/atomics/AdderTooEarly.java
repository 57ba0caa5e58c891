// expect: assertion
// The sum of a LongAdder is asked for before the additions are over.
import java.util.concurrent.atomic.LongAdder;

public class AdderTooEarly {
    public static void main(String[] args) {
        LongAdder sum = new LongAdder();
        new Thread(sum::increment).start();
        sum.increment();
        assert sum.sum() == 2; // <- assertion
    }
}
