// expect: holds
// A field updater lets one of two threads set a field.
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

public class ReferenceUpdater {
    volatile String owner;
    static final AtomicReferenceFieldUpdater<ReferenceUpdater, String> OWNER =
            AtomicReferenceFieldUpdater.newUpdater(ReferenceUpdater.class, String.class, "owner");

    public static void main(String[] args) throws InterruptedException {
        ReferenceUpdater it = new ReferenceUpdater();
        boolean[] won = new boolean[2];
        Thread other = new Thread(() -> won[0] = OWNER.compareAndSet(it, null, "other"));
        other.start();
        won[1] = OWNER.compareAndSet(it, null, "main");
        other.join();
        assert won[0] != won[1] && it.owner.equals(won[0] ? "other" : "main");
    }
}
