import java.lang.ref.*;
import java.util.*;

/** References, big allocations that are refused, runtime figures that are sane. */
public class Memory {
    public static void main(String[] args) {
        Object o = new Object();
        WeakReference<Object> w = new WeakReference<>(o); SoftReference<String> s = new SoftReference<>("soft"); ReferenceQueue<Object> q = new ReferenceQueue<>(); PhantomReference<Object> p = new PhantomReference<>(o, q);
        System.out.println((w.get() == o) + " " + s.get() + " " + p.get() + " " + q.poll());
        w.clear();
        System.out.println(w.get());
        try { int[] big = new int[Integer.MAX_VALUE]; System.out.println(big.length); } catch (OutOfMemoryError e) { System.out.println("refused"); }
        Runtime r = Runtime.getRuntime();
        System.out.println((r.availableProcessors() >= 1) + " " + (r.totalMemory() <= r.maxMemory()) + (r.freeMemory() > 0));
        System.gc();
        long sum = 0;
        for (int i = 0; i < 2000; i++) { byte[] garbage = new byte[10000]; garbage[i] = (byte) i; sum += garbage[i]; }
        System.out.println(sum);
        Map<Integer, int[]> keep = new HashMap<>();
        for (int i = 0; i < 5000; i++) keep.put(i % 100, new int[] {i});
        System.out.println(keep.get(99)[0] + " " + (System.identityHashCode(o) == o.hashCode()) + System.identityHashCode(null));
        Cleaner c = Cleaner.create();
        Cleaner.Cleanable cl = c.register(o, () -> System.out.println("cleaned"));
        cl.clean(); cl.clean();
        Reference.reachabilityFence(o);
    }
}
