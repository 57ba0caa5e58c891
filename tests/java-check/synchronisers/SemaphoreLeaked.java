// expect: deadlock
// A permit is leaked by an exception.
import java.util.concurrent.Semaphore;

public class SemaphoreLeaked {
    static final Semaphore permits = new Semaphore(1);

    static void work(String text) {
        permits.acquireUninterruptibly(); // <- deadlock
        try {
            Integer.parseInt(text);
            permits.release();
        } catch (NumberFormatException e) {
            // The permit is gone.
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> work("x"));
        other.start();
        work("1");
        other.join(); // <- deadlock
    }
}
