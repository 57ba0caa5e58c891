// expect: assertion
// A semaphore with two permits does not.
import java.util.concurrent.Semaphore;

public class SemaphoreTwo {
    static final Semaphore permits = new Semaphore(2);
    static int count;

    static void add() {
        permits.acquireUninterruptibly();
        count++;
        permits.release();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(SemaphoreTwo::add);
        other.start();
        add();
        other.join();
        assert count == 2 : count; // <- assertion
    }
}
