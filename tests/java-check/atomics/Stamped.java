// expect: holds
// A stamped reference notices that a value has come back.
import java.util.concurrent.atomic.AtomicStampedReference;

public class Stamped {
    static final AtomicStampedReference<String> slot = new AtomicStampedReference<>("a", 0);
    static volatile int changes;

    public static void main(String[] args) {
        new Thread(() -> {
            changes = 1;
            slot.set("b", 1);
            slot.set("a", 2);
        }).start();
        int[] stamp = new int[1];
        String seen = slot.get(stamp);
        if (stamp[0] == 0 && slot.compareAndSet(seen, "c", 0, 3)) {
            assert slot.getReference() != null;
        }
        assert stamp[0] == 0 || changes == 1;
    }
}
