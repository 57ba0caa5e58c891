import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.*;

/** Blocking and non-blocking queues where nothing blocks. */
public class Queues {
    static class Job implements Delayed { final String n; final long t; Job(String n, long t) { this.n = n; this.t = t; } public long getDelay(TimeUnit u) { return -1; } public int compareTo(Delayed o) { return Long.compare(t, ((Job) o).t); } @Override public String toString() { return n; } }
    static void use(BlockingQueue<Integer> q) throws InterruptedException {
        StringBuilder b = new StringBuilder(q.getClass().getSimpleName());
        for (int i = 5; i > 0; i--) b.append(' ').append(q.offer(i * 7 % 5));
        b.append(' ').append(q).append(q.peek()).append(q.remainingCapacity() > 1000 ? "large" : "" + q.remainingCapacity());
        b.append(q.poll()).append(q.take()).append(q.contains(4)).append(q.remove(99)).append(q.poll(1, TimeUnit.MILLISECONDS));
        q.put(42);
        List<Integer> out = new ArrayList<>();
        b.append(' ').append(q.drainTo(out, 2)).append(out).append(q.size()).append(q.drainTo(out)).append(out).append(q.poll()).append(q.poll(1, TimeUnit.NANOSECONDS));
        try { q.remove(); } catch (java.util.NoSuchElementException e) { b.append(" empty"); }
        try { q.add(null); } catch (NullPointerException e) { b.append(" null"); }
        try { for (int i = 0; i < 5; i++) q.add(i); b.append(" unbounded"); } catch (IllegalStateException e) { b.append(' ').append(e.getMessage()); }
        System.out.println(b + " " + q);
    }
    public static void main(String[] args) throws Exception {
        use(new ArrayBlockingQueue<>(4));
        use(new LinkedBlockingQueue<>());
        use(new LinkedBlockingQueue<>(4));
        use(new PriorityBlockingQueue<>());
        use(new LinkedBlockingDeque<>(4));
        use(new LinkedTransferQueue<>());
        DelayQueue<Job> d = new DelayQueue<>(List.of(new Job("late", 5), new Job("early", 1)));
        System.out.println(d.take() + " " + d.poll() + d.poll());
        SynchronousQueue<Integer> s = new SynchronousQueue<>();
        System.out.println(s.offer(1) + " " + s.poll() + s.isEmpty());
        ConcurrentLinkedQueue<String> q = new ConcurrentLinkedQueue<>(List.of("a", "b", "c"));
        q.add("d"); q.remove("b");
        for (String x : q) if (x.equals("c")) q.add("seen");
        System.out.println(q + " " + q.poll() + q.peek() + q.size());
        ConcurrentLinkedDeque<Integer> cd = new ConcurrentLinkedDeque<>();
        for (int i = 0; i < 6; i++) if (i % 2 == 0) cd.addFirst(i); else cd.addLast(i);
        System.out.println(cd + " " + cd.pollLast() + cd.pop() + cd.removeFirstOccurrence(1) + cd);
        LinkedBlockingDeque<Integer> bd = new LinkedBlockingDeque<>();
        bd.putFirst(1); bd.putLast(2); bd.offerFirst(3);
        System.out.println(bd.takeLast() + " " + bd.takeFirst() + bd);
    }
}
