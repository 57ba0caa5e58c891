// expect: holds
import java.util.concurrent.atomic.AtomicInteger;

/** A ring buffer for one producer and one consumer. */
public class RingBuffer {
    static final int[] slots = new int[2];
    static final AtomicInteger head = new AtomicInteger(), tail = new AtomicInteger();

    static boolean offer(int value) {
        int at = tail.getPlain();
        if (at - head.getAcquire() == slots.length) {
            return false;
        }
        slots[at % slots.length] = value;
        tail.setRelease(at + 1);
        return true;
    }

    static int poll() {
        int at = head.getPlain();
        if (at == tail.getAcquire()) {
            return 0;
        }
        int value = slots[at % slots.length];
        head.setRelease(at + 1);
        return value;
    }

    public static void main(String[] args) {
        new Thread(() -> {
            for (int value = 1; value <= 3; value++) {
                offer(value);
            }
        }).start();
        int last = 0;
        for (int turn = 0; turn < 3; turn++) {
            int at = head.getPlain();
            int value = poll();
            assert at == head.getPlain() || value > last : "a value that is old, or not there";
            last = Math.max(last, value);
        }
    }
}
