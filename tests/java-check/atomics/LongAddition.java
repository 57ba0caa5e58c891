// expect: holds
// getAndAdd of an AtomicLong.
import java.util.concurrent.atomic.AtomicLong;

public class LongAddition {
    public static void main(String[] args) throws InterruptedException {
        AtomicLong sum = new AtomicLong();
        Thread other = new Thread(() -> sum.getAndAdd(2));
        other.start();
        sum.addAndGet(3);
        other.join();
        assert sum.get() == 5;
    }
}
