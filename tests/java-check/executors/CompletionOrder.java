// expect: holds
// A completion service gives results in the order in which they are ready.
// slow
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;
import java.util.concurrent.ExecutorService;

public class CompletionOrder {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        ExecutorCompletionService<Integer> done = new ExecutorCompletionService<>(pool);
        done.submit(() -> 1);
        assert done.take().get() == 1;
        pool.shutdown();
    }
}
