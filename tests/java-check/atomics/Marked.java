// expect: holds
// A markable reference is marked once.
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicInteger;

public class Marked {
    static final AtomicMarkableReference<String> node = new AtomicMarkableReference<>("a", false);
    static final AtomicInteger marks = new AtomicInteger();

    static void mark() {
        if (node.compareAndSet("a", "a", false, true)) marks.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(Marked::mark);
        other.start();
        mark();
        other.join();
        assert node.isMarked() && marks.get() == 1;
    }
}
