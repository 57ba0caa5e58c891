// expect: holds
// A DoubleAdder loses nothing.
import java.util.concurrent.atomic.DoubleAdder;

public class DoubleSum {
    public static void main(String[] args) throws InterruptedException {
        DoubleAdder sum = new DoubleAdder();
        Thread other = new Thread(() -> sum.add(0.5));
        other.start();
        sum.add(0.25);
        other.join();
        assert sum.sum() == 0.75;
    }
}
