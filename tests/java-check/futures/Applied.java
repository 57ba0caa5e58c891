// expect: holds
// A function of a value that another thread computes.
import java.util.concurrent.CompletableFuture;

public class Applied {
    public static void main(String[] args) {
        CompletableFuture<Integer> number = new CompletableFuture<>();
        new Thread(() -> number.complete(20)).start();
        assert number.thenApply(n -> 2 * n + 2).join() == 42;
    }
}
