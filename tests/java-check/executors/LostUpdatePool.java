// expect: assertion
// Two tasks of a pool add to a plain field.
// slow
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class LostUpdatePool {
    static int count;

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<?> one = pool.submit(() -> count++);
        Future<?> two = pool.submit(() -> count++);
        one.get();
        two.get();
        assert count == 2; // <- assertion
        pool.shutdown();
    }
}
