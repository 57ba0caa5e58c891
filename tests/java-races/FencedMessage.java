// expect: holds
// A fence makes a release of the opaque write after it: there is no race for the data.
import java.util.concurrent.atomic.AtomicInteger;
import java.lang.invoke.VarHandle;

public class FencedMessage {
    static final AtomicInteger READY = new AtomicInteger();
    static int data;

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            data = 9;
            VarHandle.releaseFence();
            READY.setOpaque(1);
        });
        other.start();
        if (READY.getAcquire() == 1) {
            assert data == 9;
        }
    }
}
