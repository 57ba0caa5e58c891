// expect: assertion
// A scheduled task and the main thread add to a plain field.
// slow
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

public class ScheduledRace {
    static int count;

    public static void main(String[] args) throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        Future<?> task = pool.schedule(() -> count++, 10, TimeUnit.MILLISECONDS);
        count++;
        task.get();
        assert count == 2; // <- assertion
        pool.shutdown();
    }
}
