import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.*;

/** Thread pools: submit, invokeAll, exceptions, shutdown. */
public class Executors17 {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Future<Integer>> fs = new ArrayList<>();
        for (int i = 0; i < 10; i++) { int n = i; fs.add(pool.submit(() -> n * n)); }
        int sum = 0;
        for (Future<Integer> f : fs) sum += f.get();
        System.out.println(sum);
        List<Callable<String>> cs = List.of(() -> "a", () -> "b", () -> { throw new IllegalStateException("c"); });
        for (Future<String> f : pool.invokeAll(cs)) try { System.out.println(f.get() + f.isDone()); } catch (ExecutionException e) { System.out.println(e.getCause()); }
        System.out.println(pool.<Integer>invokeAny(List.<Callable<Integer>>of(() -> 5, () -> 5)).intValue());
        Future<?> r = pool.submit(() -> { });
        System.out.println(r.get() + " " + pool.submit(() -> { }, "value").get());
        pool.shutdown();
        try { pool.submit(() -> 1); } catch (RejectedExecutionException e) { System.out.println("rejected"); }
        System.out.println(pool.awaitTermination(10, TimeUnit.SECONDS) + " " + pool.isShutdown() + pool.isTerminated());
        ExecutorService single = Executors.newSingleThreadExecutor(x -> new Thread(x, "only"));
        StringBuffer b = new StringBuffer();
        for (int i = 0; i < 5; i++) { int k = i; single.execute(() -> b.append(Thread.currentThread().getName()).append(k).append(' ')); }
        single.shutdown();
        single.awaitTermination(10, TimeUnit.SECONDS);
        System.out.println(b);
        ScheduledExecutorService s = Executors.newScheduledThreadPool(1);
        ScheduledFuture<String> sf = s.schedule(() -> "scheduled", 1, TimeUnit.MILLISECONDS);
        CountDownLatch three = new CountDownLatch(3);
        ScheduledFuture<?> rep = s.scheduleAtFixedRate(three::countDown, 0, 1, TimeUnit.MILLISECONDS);
        three.await();
        System.out.println(sf.get() + " " + rep.cancel(false) + rep.isCancelled());
        System.out.println(s.shutdownNow().size() >= 0);
        ThreadPoolExecutor tiny = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1));
        CountDownLatch hold = new CountDownLatch(1);
        tiny.execute(() -> { try { hold.await(); } catch (InterruptedException e) { } });
        tiny.execute(() -> { });
        try { tiny.execute(() -> { }); } catch (RejectedExecutionException e) { System.out.println("full " + tiny.getQueue().size()); }
        hold.countDown();
        tiny.shutdown();
        System.out.println(tiny.awaitTermination(10, TimeUnit.SECONDS) + " " + tiny.getCompletedTaskCount());
    }
}
