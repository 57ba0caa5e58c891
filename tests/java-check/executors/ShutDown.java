// expect: holds
// A pool ends when it is shut down, after its tasks.
// slow
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class ShutDown {
    static volatile int done;

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.execute(() -> done = 1);
        pool.shutdown();
    }
}
