// expect: holds
// A task of a work-stealing pool.
// slow
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class WorkStealing {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newWorkStealingPool(1);
        assert pool.submit(() -> 42).get() == 42;
        pool.shutdown();
    }
}
