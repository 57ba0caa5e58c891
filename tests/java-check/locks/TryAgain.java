// expect: assertion
// Waiting for a lock again and again, a while each time, and one who does not.
// slow
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

public class TryAgain {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static int count;

    private static void patient() {
        try {
            while (!LOCK.tryLock(10, TimeUnit.MILLISECONDS)) {
                // Somebody else has it.
            }
        } catch (InterruptedException interrupted) {
            return;
        }
        try {
            count++;
        } finally {
            LOCK.unlock();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread first = new Thread(TryAgain::patient);
        Thread second = new Thread(TryAgain::patient);
        first.start();
        second.start();
        count++;
        first.join();
        second.join();
        assert count == 3; // <- assertion
    }
}
