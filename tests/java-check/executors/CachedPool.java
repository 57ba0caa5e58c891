// expect: holds
// A task of a cached pool, whose threads end when they are idle.
// slow
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class CachedPool {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        assert pool.submit(() -> 42).get() == 42;
        pool.shutdown();
    }
}
