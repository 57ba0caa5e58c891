// expect: exception
// A time limit of get ends before the task.
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

public class FutureTimed {
    public static void main(String[] args) throws Exception {
        FutureTask<Integer> task = new FutureTask<>(() -> 1);
        new Thread(task).start();
        try {
            task.get(1, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("too slow"); // <- exception
        }
    }
}
