import java.util.List;
import java.util.concurrent.*;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Asynchronous futures, fork-join, parallel streams: the results do not depend on the schedule. */
public class Async {
    static class Sum extends RecursiveTask<Long> { final int[] a; final int lo, hi; Sum(int[] a, int lo, int hi) { this.a = a; this.lo = lo; this.hi = hi; } @Override protected Long compute() { if (hi - lo < 50) { long s = 0; for (int i = lo; i < hi; i++) s += a[i]; return s; } int mid = (lo + hi) / 2; Sum l = new Sum(a, lo, mid), r = new Sum(a, mid, hi); l.fork(); return r.compute() + l.join(); } }
    public static void main(String[] args) throws Exception {
        CompletableFuture<Integer> a = CompletableFuture.supplyAsync(() -> 20), b = CompletableFuture.supplyAsync(() -> 22);
        System.out.println(a.thenCombineAsync(b, Integer::sum).thenApplyAsync(x -> "answer " + x).get());
        System.out.println(CompletableFuture.supplyAsync(() -> { if (true) throw new IllegalStateException("async"); return 1; }).handle((v, t) -> t.getCause().getMessage()).join());
        List<CompletableFuture<Integer>> fs = IntStream.range(0, 10).mapToObj(i -> CompletableFuture.supplyAsync(() -> i * i)).toList();
        CompletableFuture.allOf(fs.toArray(new CompletableFuture[0])).join();
        System.out.println(fs.stream().map(CompletableFuture::join).toList());
        int[] data = IntStream.range(0, 1000).toArray();
        System.out.println(new ForkJoinPool(2).invoke(new Sum(data, 0, 1000)) + " " + ForkJoinPool.commonPool().invoke(new Sum(data, 0, 500)));
        System.out.println(IntStream.range(0, 1000).parallel().filter(x -> x % 3 == 0).sum() + " " + List.of(5, 3, 8, 1).parallelStream().map(x -> x * 2).collect(Collectors.toList()) + " " + IntStream.range(0, 100).parallel().boxed().collect(Collectors.groupingByConcurrent(x -> x % 2, Collectors.counting())));
        StringBuffer order = new StringBuffer();
        List.of("a", "b", "c").parallelStream().forEachOrdered(order::append);
        System.out.println(order);
        int[] sorted = {5, 2, 9, 1};
        java.util.Arrays.parallelSort(sorted);
        System.out.println(java.util.Arrays.toString(sorted));
        Exchanger<String> ex = new Exchanger<>();
        Thread t = new Thread(() -> { try { System.out.println("other got " + ex.exchange("from other")); } catch (InterruptedException e) { } });
        t.start();
        String got = ex.exchange("from main");
        t.join();
        System.out.println("main got " + got);
        SynchronousQueue<Integer> q = new SynchronousQueue<>();
        new Thread(() -> { try { for (int i = 0; i < 3; i++) q.put(i); } catch (InterruptedException e) { } }).start();
        System.out.println(q.take() + q.take() + q.take());
        Phaser p = new Phaser(3);
        int[] cells = new int[3];
        for (int i = 0; i < 2; i++) { int k = i; new Thread(() -> { for (int r = 0; r < 3; r++) { cells[k] += r; p.arriveAndAwaitAdvance(); } p.arriveAndDeregister(); }).start(); }
        for (int r = 0; r < 3; r++) p.arriveAndAwaitAdvance();
        System.out.println(cells[0] + cells[1] + " " + p.getPhase());
    }
}
