/** Threads that are started and joined; what they did is seen after the join. */
public class StartJoin {
    static int[] results = new int[8];
    static class Worker extends Thread { final int n; Worker(int n) { super("w" + n); this.n = n; } @Override public void run() { int s = 0; for (int i = 0; i <= n * 100; i++) s += i; results[n] = s; } }
    public static void main(String[] args) throws InterruptedException {
        Worker[] ws = new Worker[8];
        for (int i = 0; i < 8; i++) (ws[i] = new Worker(i)).start();
        for (Worker w : ws) w.join();
        for (int i = 0; i < 8; i++) System.out.print(ws[i].getName() + "=" + results[i] + (ws[i].isAlive() ? "!" : "") + " ");
        System.out.println();
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 5; i++) { int k = i; Thread t = new Thread(() -> b.append(k)); t.start(); t.join(); }
        System.out.println(b);
        Thread outer = new Thread(() -> { Thread inner = new Thread(() -> b.append("inner ")); inner.start(); try { inner.join(); } catch (InterruptedException e) { } b.append("outer"); });
        outer.start();
        outer.join(10000);
        System.out.println(b);
        Thread r = new Thread(() -> { throw new IllegalStateException("in thread"); });
        r.setUncaughtExceptionHandler((t, e) -> System.out.println("handler " + e.getMessage()));
        r.start();
        r.join();
        new Thread(() -> b.setLength(0)).run();
        System.out.println(b.length());
    }
}
