import java.util.List;
import java.util.concurrent.*;

/** CompletableFuture completed by the same thread; FutureTask run directly. */
public class Futures {
    static String why(Throwable t) { return t.getClass().getSimpleName() + (t.getCause() == null ? "" : "(" + t.getCause().getMessage() + ")"); }
    public static void main(String[] args) throws Exception {
        CompletableFuture<Integer> f = new CompletableFuture<>();
        CompletableFuture<String> g = f.thenApply(x -> x * 2).thenCombine(CompletableFuture.completedFuture(5), Integer::sum).thenApply(x -> "r" + x);
        StringBuilder log = new StringBuilder();
        g.thenAccept(s -> log.append(s));
        g.thenRun(() -> log.append("!"));
        System.out.println(g.isDone() + " " + f.getNow(-1) + log);
        System.out.println(f.complete(10) + " " + f.complete(11) + g.get() + g.join() + log.length());
        CompletableFuture<Integer> bad = CompletableFuture.failedFuture(new IllegalStateException("boom"));
        try { bad.join(); } catch (CompletionException e) { System.out.println(why(e)); }
        try { bad.thenApply(x -> x + 1).get(); } catch (ExecutionException e) { System.out.println(why(e)); }
        System.out.println(bad.exceptionally(t -> -1).join() + " " + bad.handle((v, t) -> v + "/" + t.getMessage()).join() + " " + f.handle((v, t) -> v + "/" + t).join() + " " + f.whenComplete((v, t) -> log.append(v)).join() + bad.isCompletedExceptionally());
        System.out.println(f.thenApply(x -> 1 / 0).exceptionally(t -> { log.append(why(t)); return 0; }).join() + " " + log);
        System.out.println(f.thenCompose(x -> CompletableFuture.completedFuture(x + 1)).join() + " " + CompletableFuture.allOf(f, g).isDone() + CompletableFuture.anyOf(new CompletableFuture<>(), f).join() + f.applyToEither(new CompletableFuture<>(), x -> x * 3).join());
        CompletableFuture<Integer> cancelled = new CompletableFuture<>();
        System.out.println(cancelled.cancel(true) + " " + cancelled.isCancelled() + cancelled.isCompletedExceptionally());
        try { cancelled.get(); } catch (CancellationException e) { System.out.println("cancelled"); }
        try { new CompletableFuture<>().get(1, TimeUnit.MILLISECONDS); } catch (TimeoutException e) { System.out.println("timeout"); }
        System.out.println(CompletableFuture.supplyAsync(() -> "async " + 1, Runnable::run).thenApplyAsync(s -> s + "!", Runnable::run).join() + " " + CompletableFuture.runAsync(() -> { }, Runnable::run).join());
        FutureTask<Integer> t = new FutureTask<>(() -> 6 * 7);
        System.out.println(t.isDone());
        t.run(); t.run();
        System.out.println(t.get() + " " + t.isDone() + t.cancel(true));
        FutureTask<Integer> ft = new FutureTask<>(() -> { throw new Exception("task"); });
        ft.run();
        try { ft.get(); } catch (ExecutionException e) { System.out.println(why(e)); }
        f.obtrudeValue(1);
        System.out.println(f.join() + " " + f.getNumberOfDependents() + " " + CompletableFuture.completedStage(3).toCompletableFuture().join());
        List<CompletableFuture<Integer>> many = java.util.stream.IntStream.range(0, 5).mapToObj(i -> new CompletableFuture<Integer>()).toList();
        CompletableFuture<Integer> sum = many.stream().reduce((a, b) -> a.thenCombine(b, Integer::sum)).get();
        for (int i = 4; i >= 0; i--) { System.out.print(sum.isDone() + " "); many.get(i).complete(i); }
        System.out.println(sum.join());
    }
}
