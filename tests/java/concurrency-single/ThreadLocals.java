import java.util.concurrent.TimeUnit;

/** ThreadLocal, Thread's own properties, TimeUnit. */
public class ThreadLocals {
    static final ThreadLocal<StringBuilder> LOCAL = ThreadLocal.withInitial(() -> new StringBuilder("init"));
    static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>() { @Override protected String childValue(String p) { return p + " child"; } };
    public static void main(String[] args) throws Exception {
        LOCAL.get().append("+main");
        INHERITED.set("parent");
        ThreadLocal<Integer> n = new ThreadLocal<>();
        System.out.println(LOCAL.get() + " " + n.get());
        n.set(5); n.set(n.get() + 1);
        Thread t = new Thread(() -> { LOCAL.get().append("+t"); System.out.println(LOCAL.get() + " " + n.get() + " " + INHERITED.get() + " " + Thread.currentThread().getName()); INHERITED.set("changed"); }, "worker");
        System.out.println(t.getState() + " " + t.isAlive() + t.isDaemon() + t.getPriority() + t.getName() + t.getThreadGroup().getName());
        t.start();
        t.join();
        System.out.println(LOCAL.get() + " " + n.get() + " " + INHERITED.get() + " " + t.getState() + t.isAlive());
        LOCAL.remove();
        n.remove();
        System.out.println(LOCAL.get() + " " + n.get());
        try { t.start(); } catch (IllegalThreadStateException e) { System.out.println("started twice"); }
        Thread main = Thread.currentThread();
        System.out.println(main.getName() + " " + main.getPriority() + main.isInterrupted() + main.isDaemon() + main.getThreadGroup().getName() + main.getState());
        main.setName("renamed");
        try { main.setPriority(11); } catch (IllegalArgumentException e) { System.out.println("priority"); }
        try { main.join(-1); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        System.out.println(Thread.currentThread().getName() + " " + TimeUnit.HOURS.toSeconds(2) + " " + TimeUnit.NANOSECONDS.toMillis(1999999) + " " + TimeUnit.DAYS.convert(49, TimeUnit.HOURS) + TimeUnit.MILLISECONDS);
        Thread.sleep(0); Thread.yield(); Thread.onSpinWait();
        ThreadLocal<int[]>[] many = new ThreadLocal[100];
        for (int i = 0; i < 100; i++) { int k = i; many[i] = ThreadLocal.withInitial(() -> new int[] {k}); many[i].get()[0] *= 2; if (i % 3 == 0) many[i].remove(); }
        int sum = 0;
        for (ThreadLocal<int[]> m : many) sum += m.get()[0];
        System.out.println(sum);
        long a = System.nanoTime(), b = System.nanoTime(), c = System.currentTimeMillis();
        System.out.println((b >= a) + " " + (c > 0));
    }
}
