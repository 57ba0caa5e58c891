// expect: assertion
// Nobody waits for the task of a pool.
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class DaemonPoolLost {
    static volatile int done;

    public static void main(String[] args) {
        ExecutorService pool = Executors.newFixedThreadPool(1, task -> {
            Thread made = new Thread(task);
            made.setDaemon(true);
            return made;
        });
        pool.execute(() -> done = 1);
        assert done == 1; // <- assertion
    }
}
