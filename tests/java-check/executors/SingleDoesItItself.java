// expect: holds
// A task of a pool of one thread calls what it needs.
// slow
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class SingleDoesItItself {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Callable<Integer> inner = () -> 1;
        assert pool.submit(() -> inner.call() + 1).get() == 2;
        pool.shutdown();
    }
}
