// expect: holds
// invokeAll waits for all tasks.
// slow
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class InvokeAll {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        List<Callable<Integer>> tasks = List.of(() -> 1, () -> 2);
        int sum = 0;
        for (Future<Integer> each : pool.invokeAll(tasks)) {
            assert each.isDone();
            sum += each.get();
        }
        assert sum == 3;
        pool.shutdown();
    }
}
