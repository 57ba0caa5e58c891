// expect: holds
// supplyAsync on an executor of one's own.
import java.util.concurrent.CompletableFuture;

public class SupplyAsync {
    public static void main(String[] args) {
        CompletableFuture<Integer> number =
                CompletableFuture.supplyAsync(() -> 42, task -> new Thread(task).start());
        assert number.join() == 42;
    }
}
