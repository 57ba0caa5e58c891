// expect: holds
// supplyAsync on the common pool.
import java.util.concurrent.CompletableFuture;

public class SupplyAsyncCommon {
    public static void main(String[] args) {
        assert CompletableFuture.supplyAsync(() -> 42).join() == 42;
    }
}
