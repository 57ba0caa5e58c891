// expect: holds
// A semaphore with one permit keeps two threads apart.
import java.util.concurrent.Semaphore;

public class SemaphoreOne {
    static final Semaphore permits = new Semaphore(1);
    static int count;

    static void add() {
        permits.acquireUninterruptibly();
        count++;
        permits.release();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(SemaphoreOne::add);
        other.start();
        add();
        other.join();
        assert count == 2 && permits.availablePermits() == 1;
    }
}
