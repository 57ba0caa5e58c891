// expect: holds
// A task waits for a task of a pool with two threads.
// too slow
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class TwoWaitForEachOther {
    public static void main(String[] args) {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.execute(() -> {
            try {
                assert pool.submit(() -> 1).get() == 1;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            pool.shutdown();
        });
    }
}
