// expect: holds
// compareAndSet of an AtomicBoolean succeeds once.
import java.util.concurrent.atomic.AtomicBoolean;

public class FlagOnce {
    static final AtomicBoolean isTaken = new AtomicBoolean();
    static int winners;

    static void race() {
        if (isTaken.compareAndSet(false, true)) winners++;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(FlagOnce::race);
        other.start();
        race();
        other.join();
        assert winners == 1;
    }
}
