// expect: assertion
// Two threads complete a future: the second one is ignored.
import java.util.concurrent.CompletableFuture;

public class CompletedTwice {
    public static void main(String[] args) {
        CompletableFuture<Integer> number = new CompletableFuture<>();
        new Thread(() -> number.complete(1)).start();
        number.complete(2);
        assert number.join() == 2; // <- assertion
    }
}
