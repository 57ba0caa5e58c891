// expect: holds
import java.util.concurrent.atomic.AtomicInteger;

/** Who has seen that a thread has ended knows what it has done. */
public class OldAfterJoin {
    static final AtomicInteger x = new AtomicInteger();

    public static void main(String[] args) {
        Thread other = new Thread(() -> x.setOpaque(1));
        other.start();
        int seen = x.getOpaque();
        assert other.isAlive() || x.getOpaque() == 1 && seen <= 1;
    }
}
