// expect: assertion
// get and set of an AtomicBoolean are two operations.
import java.util.concurrent.atomic.AtomicBoolean;

public class FlagTwice {
    static final AtomicBoolean isTaken = new AtomicBoolean();
    static int winners;

    static synchronized void win() {
        winners++;
    }

    static void race() {
        if (!isTaken.get()) {
            isTaken.set(true);
            win();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(FlagTwice::race);
        other.start();
        race();
        other.join();
        assert winners == 1; // <- assertion
    }
}
