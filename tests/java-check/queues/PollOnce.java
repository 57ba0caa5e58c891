// expect: holds
// Whoever polls gets the item or nothing: it is taken once.
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

public class PollOnce {
    static final ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
    static final AtomicInteger taken = new AtomicInteger();

    static void drain() {
        if (queue.poll() != null) taken.incrementAndGet();
    }

    public static void main(String[] args) throws InterruptedException {
        queue.add(1);
        Thread other = new Thread(PollOnce::drain);
        other.start();
        drain();
        other.join();
        assert taken.get() == 1;
    }
}
