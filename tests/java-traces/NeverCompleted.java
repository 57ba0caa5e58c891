// expect: deadlock
import java.util.concurrent.*;

/** A future that nobody completes, and one that follows from it. */
class NeverCompleted {
    static final CompletableFuture<String> answer = new CompletableFuture<>();
    static volatile boolean failed;

    public static void main(String[] args) throws Exception {
        Thread worker = new Thread(() -> {
            try {
                if (failed) throw new IllegalStateException("failed");
                answer.complete("yes");
            } catch (IllegalStateException e) {
                System.out.println("logged: " + e.getMessage());
            }
        }, "worker");
        worker.start();
        failed = true;
        CompletableFuture<Integer> length = answer.thenApply(String::length);
        System.out.println(length.join());
    }
}
