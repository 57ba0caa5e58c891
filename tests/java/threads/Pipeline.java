import java.util.*;
import java.util.concurrent.*;

/** A pipeline of threads over blocking queues: the order is kept. */
public class Pipeline {
    static final int END = Integer.MIN_VALUE;
    static Thread stage(String name, BlockingQueue<Integer> in, BlockingQueue<Integer> out, java.util.function.IntUnaryOperator f) { Thread t = new Thread(() -> { try { for (int x; (x = in.take()) != END; ) out.put(f.applyAsInt(x)); out.put(END); } catch (InterruptedException e) { Thread.currentThread().interrupt(); } }, name); t.start(); return t; }
    public static void main(String[] args) throws Exception {
        BlockingQueue<Integer> a = new ArrayBlockingQueue<>(2), b = new LinkedBlockingQueue<>(1), c = new SynchronousQueue<>(), d = new LinkedTransferQueue<>();
        Thread[] ts = {stage("double", a, b, x -> x * 2), stage("inc", b, c, x -> x + 1), stage("square", c, d, x -> x * x)};
        for (int i = 0; i < 20; i++) a.put(i);
        a.put(END);
        List<Integer> out = new ArrayList<>();
        for (int x; (x = d.take()) != END; ) out.add(x);
        for (Thread t : ts) t.join();
        System.out.println(out);
        ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();
        String[] texts = {"a b a c", "b b c", "a", "c c c d"};
        Thread[] ws = new Thread[texts.length];
        for (int i = 0; i < texts.length; i++) { String s = texts[i]; ws[i] = new Thread(() -> { for (String w : s.split(" ")) { counts.merge(w, 1, Integer::sum); counts.computeIfAbsent("total", k -> 0); counts.computeIfPresent("total", (k, v) -> v + 1); } }); ws[i].start(); }
        for (Thread w : ws) w.join();
        System.out.println(new TreeMap<>(counts));
        List<Integer> sync = Collections.synchronizedList(new ArrayList<>()), cow = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 4; i++) { int k = i; ws[i] = new Thread(() -> { for (int j = 0; j < 10; j++) { sync.add(k * 10 + j); cow.add(j); } }); ws[i].start(); }
        for (Thread w : ws) w.join();
        Collections.sort(sync);
        System.out.println(sync.size() + " " + sync.get(0) + sync.get(39) + " " + cow.stream().mapToInt(x -> x).sum());
        ExecutorService e = Executors.newCachedThreadPool();
        CompletionService<Integer> cs = new ExecutorCompletionService<>(e);
        for (int i = 1; i <= 5; i++) { int k = i; cs.submit(() -> k * k); }
        int sum = 0;
        for (int i = 0; i < 5; i++) sum += cs.take().get();
        e.shutdown();
        System.out.println(sum + " " + e.awaitTermination(5, TimeUnit.SECONDS));
    }
}
