// expect: assertion
// Tasks that each have a virtual thread, and a variable without a lock.
// slow
// jdk 21
import java.util.concurrent.Executors;

public class VirtualExecutor {
    private static int count;

    public static void main(String[] arguments) {
        try (var tasks = Executors.newVirtualThreadPerTaskExecutor()) {
            tasks.submit(() -> count++);
            tasks.submit(() -> count++);
        }
        assert count == 2; // <- assertion
    }
}
