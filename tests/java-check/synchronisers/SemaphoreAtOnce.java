// expect: holds
// Two threads take two permits at once.
import java.util.concurrent.Semaphore;

public class SemaphoreAtOnce {
    static final Semaphore permits = new Semaphore(2);
    static int inside;

    static void work() {
        permits.acquireUninterruptibly(2);
        inside++;
        assert inside == 1;
        inside--;
        permits.release(2);
    }

    public static void main(String[] args) {
        new Thread(SemaphoreAtOnce::work).start();
        work();
    }
}
