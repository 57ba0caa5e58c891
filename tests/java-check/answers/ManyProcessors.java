// expect: unknown
// How many processors there are depends on the machine.
import java.util.concurrent.ForkJoinPool;

public class ManyProcessors {
    public static void main(String[] args) {
        assert ForkJoinPool.getCommonPoolParallelism() > 3;
    }
}
