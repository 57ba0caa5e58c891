// expect: assertion
// How many processors there are depends on the machine: some have two.
import java.util.concurrent.ForkJoinPool;

public class ManyProcessors {
    public static void main(String[] args) {
        assert ForkJoinPool.getCommonPoolParallelism() > 3; // <- assertion
    }
}
