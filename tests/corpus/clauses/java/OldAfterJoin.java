// expect: holds
import java.util.concurrent.atomic.AtomicInteger;

/** Who has waited for the end of a thread knows what it has done. */
public class OldAfterJoin {
    static final AtomicInteger x = new AtomicInteger();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> x.setOpaque(1));
        other.start();
        int seen = x.getOpaque();
        other.join();
        assert x.getOpaque() == 1 && seen <= 1;
    }
}
