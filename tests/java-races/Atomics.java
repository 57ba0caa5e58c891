// expect: holds
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

public class Atomics {
    static final AtomicInteger COUNT = new AtomicInteger();
    static final AtomicReference<int[]> BOX = new AtomicReference<>();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            COUNT.incrementAndGet();
            int[] box = new int[1];
            box[0] = 7;
            BOX.set(box);
        });
        other.start();
        COUNT.incrementAndGet();
        int[] box = BOX.get();
        assert box == null || box[0] == 7;
    }
}
