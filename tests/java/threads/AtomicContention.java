import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.*;

/** Atomics, concurrent maps and barriers shared by threads; totals are fixed. */
public class AtomicContention {
    static volatile boolean ready; static int plain;
    static class Stack { record Node(int v, Node next) { } final AtomicReference<Node> top = new AtomicReference<>(); void push(int v) { Node n; do { n = top.get(); } while (!top.compareAndSet(n, new Node(v, n))); } int pop() { for (;;) { Node n = top.get(); if (n == null) return -1; if (top.compareAndSet(n, n.next())) return n.v(); } } }
    public static void main(String[] args) throws Exception {
        AtomicInteger i = new AtomicInteger(); AtomicLong l = new AtomicLong(); LongAdder a = new LongAdder(); ConcurrentHashMap<Integer, Integer> m = new ConcurrentHashMap<>(); ConcurrentLinkedQueue<Integer> q = new ConcurrentLinkedQueue<>(); Stack s = new Stack(); CountDownLatch go = new CountDownLatch(1), done = new CountDownLatch(4); CyclicBarrier bar = new CyclicBarrier(4, () -> l.addAndGet(1000000));
        for (int t = 0; t < 4; t++) { int id = t; new Thread(() -> {
            try {
                go.await();
                for (int k = 0; k < 100; k++) { i.incrementAndGet(); l.updateAndGet(x -> x + 2); a.increment(); m.merge(k % 5, 1, Integer::sum); q.add(k); s.push(k); if (k % 50 == 49) bar.await(); }
                for (int k = 0; k < 100; k++) l.addAndGet(s.pop());
            } catch (Exception e) { System.out.println(e); } finally { done.countDown(); }
        }, "t" + id).start(); }
        go.countDown();
        done.await();
        System.out.println(i + " " + l + " " + a + " " + m + " " + q.size() + " " + s.pop());
        Thread reader = new Thread(() -> { while (!ready) Thread.onSpinWait(); System.out.println("saw " + plain); });
        reader.start();
        plain = 42;
        ready = true;
        reader.join();
    }
}
