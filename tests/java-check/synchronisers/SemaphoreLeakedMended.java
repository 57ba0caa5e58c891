// expect: holds
// A permit is given back in `finally`.
import java.util.concurrent.Semaphore;

public class SemaphoreLeakedMended {
    static final Semaphore permits = new Semaphore(1);

    static void work(String text) {
        permits.acquireUninterruptibly();
        try {
            Integer.parseInt(text);
        } catch (NumberFormatException e) {
            assert text.equals("x");
        } finally {
            permits.release();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> work("x"));
        other.start();
        work("1");
        other.join();
    }
}
