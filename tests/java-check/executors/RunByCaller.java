// expect: holds
// An executor that runs its tasks itself, and one with a thread for each task.
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;

public class RunByCaller {
    public static void main(String[] args) throws Exception {
        Executor direct = Runnable::run, threads = task -> new Thread(task).start();
        FutureTask<Integer> one = new FutureTask<>(() -> 1), two = new FutureTask<>(() -> 2);
        threads.execute(two);
        direct.execute(one);
        assert one.get() + two.get() == 3;
    }
}
