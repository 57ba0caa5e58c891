// expect: holds
// What a task of a pool computes; the pool's thread is a daemon.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class DaemonPool {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1, task -> {
            Thread made = new Thread(task);
            made.setDaemon(true);
            return made;
        });
        assert pool.submit(() -> 6 * 7).get() == 42;
    }
}
