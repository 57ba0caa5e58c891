// expect: holds
// Two values of two threads, put together.
import java.util.concurrent.CompletableFuture;

public class Combined {
    public static void main(String[] args) {
        CompletableFuture<Integer> one = new CompletableFuture<>();
        CompletableFuture<Integer> two = new CompletableFuture<>();
        new Thread(() -> one.complete(40)).start();
        CompletableFuture<Integer> sum = one.thenCombine(two, Integer::sum);
        two.complete(2);
        assert sum.join() == 42;
    }
}
