// expect: holds
import java.util.concurrent.atomic.AtomicInteger;

/** A thread knows what was done before it was started. */
public class OldAfterStart {
    static final AtomicInteger x = new AtomicInteger();

    public static void main(String[] args) {
        new Thread(() -> x.setOpaque(1)).start();
        x.setOpaque(2);
        new Thread(() -> {
            assert x.getOpaque() != 0;
        }).start();
    }
}
