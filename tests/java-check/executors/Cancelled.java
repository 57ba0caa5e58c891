// expect: holds
// A task that is cancelled throws CancellationException, if it was not done before.
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;

public class Cancelled {
    public static void main(String[] args) throws Exception {
        FutureTask<Integer> task = new FutureTask<>(() -> 1);
        new Thread(task).start();
        boolean isCancelled = task.cancel(false);
        try {
            assert task.get() == 1 && !isCancelled;
        } catch (CancellationException e) {
            assert isCancelled;
        }
    }
}
