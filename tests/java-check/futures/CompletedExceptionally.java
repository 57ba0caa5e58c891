// expect: holds
// The failure of a computation completes the future, too.
import java.util.concurrent.CompletableFuture;

public class CompletedExceptionally {
    public static void main(String[] args) {
        CompletableFuture<Integer> number = new CompletableFuture<>();
        new Thread(() -> {
            try {
                number.complete(Integer.parseInt("x"));
            } catch (NumberFormatException e) {
                number.completeExceptionally(e);
            }
        }).start();
        assert number.exceptionally(e -> -1).join() == -1;
    }
}
