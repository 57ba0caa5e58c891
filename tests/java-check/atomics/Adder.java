// expect: holds
// A LongAdder loses nothing.
import java.util.concurrent.atomic.LongAdder;

public class Adder {
    public static void main(String[] args) throws InterruptedException {
        LongAdder sum = new LongAdder();
        Thread other = new Thread(sum::increment);
        other.start();
        sum.increment();
        other.join();
        assert sum.sum() == 2;
    }
}
