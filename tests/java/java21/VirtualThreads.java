import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.*;

/** Virtual threads, with results that do not depend on the schedule. */
public class VirtualThreads {
    public static void main(String[] args) throws Exception {
        int[] r = new int[5];
        List<Thread> ts = new ArrayList<>();
        for (int i = 0; i < 5; i++) { int k = i; ts.add(Thread.ofVirtual().name("v" + k).start(() -> r[k] = k * k)); }
        for (Thread t : ts) t.join();
        System.out.println(java.util.Arrays.toString(r) + ts.get(2).getName() + ts.get(2).isVirtual() + ts.get(2).isDaemon() + ts.get(2).getState());
        try (ExecutorService e = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> fs = new ArrayList<>();
            for (int i = 0; i < 10; i++) { int k = i; fs.add(e.submit(() -> { Thread.sleep(1); return k; })); }
            int s = 0;
            for (Future<Integer> f : fs) s += f.get();
            System.out.println(s + " " + fs.get(0).resultNow() + fs.get(0).state());
        }
        Thread p = Thread.ofPlatform().name("plat").daemon(false).unstarted(() -> System.out.println(Thread.currentThread().getName() + Thread.currentThread().isVirtual()));
        p.start(); p.join();
        Object m = new Object(); boolean[] set = new boolean[1];
        Thread w = Thread.startVirtualThread(() -> { synchronized (m) { while (!set[0]) try { m.wait(); } catch (InterruptedException e) { } System.out.println("woken"); } });
        synchronized (m) { set[0] = true; m.notifyAll(); }
        w.join();
    }
}
