// expect: holds
// A task that is scheduled once.
// slow
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

public class Scheduled {
    public static void main(String[] args) throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        assert pool.schedule(() -> 42, 10, TimeUnit.MILLISECONDS).get() == 42;
        pool.shutdown();
    }
}
