// expect: exception
// A task is given to a pool that was shut down.
// slow
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class Rejected {
    public static void main(String[] args) {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        new Thread(pool::shutdown).start();
        pool.execute(() -> { }); // <- exception
        pool.shutdown();
    }
}
