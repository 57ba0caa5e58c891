// expect: holds
// A FutureTask that two threads run is computed once.
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

public class FutureTaskOnce {
    public static void main(String[] args) throws Exception {
        AtomicInteger runs = new AtomicInteger();
        FutureTask<Integer> task = new FutureTask<>(runs::incrementAndGet);
        new Thread(task).start();
        task.run();
        assert task.get() == 1 && runs.get() == 1;
    }
}
