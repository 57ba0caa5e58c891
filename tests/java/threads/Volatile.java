/** Peterson's algorithm and a spin lock on volatile fields. */
public class Volatile {
    static volatile boolean w0, w1; static volatile int turn; static int n; static final java.util.concurrent.atomic.AtomicBoolean spin = new java.util.concurrent.atomic.AtomicBoolean();
    static void first() { for (int i = 0; i < 100; i++) { w0 = true; turn = 1; while (w1 && turn == 1) Thread.yield(); n++; w0 = false; } }
    static void second() { for (int i = 0; i < 100; i++) { w1 = true; turn = 0; while (w0 && turn == 0) Thread.yield(); n++; w1 = false; } }
    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(Volatile::first), b = new Thread(Volatile::second); a.start(); b.start(); a.join(); b.join();
        System.out.println(n);
        Runnable r = () -> { for (int i = 0; i < 100; i++) { while (!spin.compareAndSet(false, true)) Thread.yield(); n--; spin.set(false); } };
        a = new Thread(r); b = new Thread(r); a.start(); b.start(); a.join(); b.join();
        System.out.println(n);
    }
}
