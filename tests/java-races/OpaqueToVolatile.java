// expect: holds
// What comes with an object that is handed over by an opaque access is ordered by a volatile
// field of it, or by its monitor.
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

public class OpaqueToVolatile {
    static final AtomicReference<AtomicInteger> BOX = new AtomicReference<>();
    static int data;

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            data = 9;
            BOX.setOpaque(new AtomicInteger(5));
        });
        other.start();
        AtomicInteger found = BOX.getOpaque();
        if (found != null && found.get() == 5) {
            assert data == 9;
        }
    }
}
