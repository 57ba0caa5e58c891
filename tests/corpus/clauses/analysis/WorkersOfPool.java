// shares: sum not guarded
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

/** The workers of a pool are made by an action with privileges. */
public class WorkersOfPool extends RecursiveAction {
    static int sum;

    @Override
    protected void compute() {
        sum++;
    }

    public static void main(String[] args) {
        new ForkJoinPool(2).execute(new WorkersOfPool());
    }
}
