// expect: deadlock
// Two threads each take one of two permits, and want another one.
import java.util.concurrent.Semaphore;

public class SemaphoreByOnes {
    static final Semaphore permits = new Semaphore(2);

    static void work() {
        permits.acquireUninterruptibly(); // <- deadlock
        permits.acquireUninterruptibly(); // <- deadlock
        permits.release(2);
    }

    public static void main(String[] args) {
        new Thread(SemaphoreByOnes::work).start();
        work();
    }
}
