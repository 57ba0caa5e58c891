// expect: deadlock
// Nobody completes the future if the computation fails.
import java.util.concurrent.CompletableFuture;

public class NeverCompleted {
    public static void main(String[] args) {
        CompletableFuture<Integer> number = new CompletableFuture<>();
        new Thread(() -> {
            try {
                number.complete(Integer.parseInt("x"));
            } catch (NumberFormatException e) {
                // Nobody hears of it.
            }
        }).start();
        number.join(); // <- deadlock
    }
}
