// expect: exception
// What a task throws comes out of get.
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class FutureFails {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            pool.submit(() -> Integer.parseInt("x")).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the task failed"); // <- exception
        } finally {
            pool.shutdown();
        }
    }
}
