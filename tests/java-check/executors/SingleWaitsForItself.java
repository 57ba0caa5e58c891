// expect: deadlock
// A task waits for a task of the same pool, which has one thread.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class SingleWaitsForItself {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.submit(() -> {
            return pool.submit(() -> 1).get(); // <- deadlock
        }).get(); // <- deadlock
        pool.shutdown();
    }
}
