// expect: holds
// The first of two futures.
import java.util.concurrent.CompletableFuture;

public class AnyOf {
    public static void main(String[] args) {
        CompletableFuture<Integer> one = new CompletableFuture<>();
        CompletableFuture<Integer> two = new CompletableFuture<>();
        new Thread(() -> one.complete(1)).start();
        new Thread(() -> two.complete(2)).start();
        Object first = CompletableFuture.anyOf(one, two).join();
        assert first.equals(1) || first.equals(2);
    }
}
