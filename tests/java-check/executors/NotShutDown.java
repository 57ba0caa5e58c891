// expect: deadlock
// A pool that nobody shuts down keeps the program alive.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class NotShutDown {
    static volatile int done;

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        pool.execute(() -> done = 1);
    }
}
