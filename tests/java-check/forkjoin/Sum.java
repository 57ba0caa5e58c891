// expect: holds
// A recursive task on a pool.
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

public class Sum extends RecursiveTask<Integer> {
    final int from, to;

    Sum(int from, int to) {
        this.from = from;
        this.to = to;
    }

    @Override
    protected Integer compute() {
        if (to - from == 1) return from;
        Sum left = new Sum(from, (from + to) / 2);
        left.fork();
        int right = new Sum((from + to) / 2, to).compute();
        return right + left.join();
    }

    public static void main(String[] args) {
        assert new ForkJoinPool(1).invoke(new Sum(1, 3)) == 3;
    }
}
