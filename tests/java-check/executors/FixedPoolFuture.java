// expect: holds
// What a task of a pool computes.
// slow
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class FixedPoolFuture {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Future<Integer> answer = pool.submit(() -> 6 * 7);
        assert answer.get() == 42;
        pool.shutdown();
    }
}
