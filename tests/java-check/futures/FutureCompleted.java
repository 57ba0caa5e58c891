// expect: holds
// A future that another thread completes.
import java.util.concurrent.*;
public class FutureCompleted {
  public static void main(String[] a) throws Exception {
    CompletableFuture<Integer> f = new CompletableFuture<>();
    new Thread(() -> f.complete(3)).start();
    assert f.thenApply(x -> x + 1).get() == 4;
  }
}
