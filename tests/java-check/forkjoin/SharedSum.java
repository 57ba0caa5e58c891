// expect: assertion
// Recursive tasks add to a plain field.
// slow
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

public class SharedSum extends RecursiveAction {
    static int sum;
    final int from, to;

    SharedSum(int from, int to) {
        this.from = from;
        this.to = to;
    }

    @Override
    protected void compute() {
        if (to - from == 1) {
            sum += from;
        } else {
            int middle = (from + to) / 2;
            invokeAll(new SharedSum(from, middle), new SharedSum(middle, to));
        }
    }

    public static void main(String[] args) {
        new ForkJoinPool(2).invoke(new SharedSum(1, 3));
        assert sum == 3; // <- assertion
    }
}
