import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.StampedLock;

/** Ordered philosophers, a semaphore pool and a stamped lock. */
public class Dining {
    static int meals, inside, most; static double x, y;
    public static void main(String[] args) throws InterruptedException {
        Object[] forks = new Object[4];
        for (int i = 0; i < 4; i++) forks[i] = new Object();
        Thread[] ts = new Thread[4];
        for (int i = 0; i < 4; i++) { Object a = forks[Math.min(i, (i + 1) % 4)], b = forks[Math.max(i, (i + 1) % 4)]; ts[i] = new Thread(() -> { for (int k = 0; k < 50; k++) synchronized (a) { synchronized (b) { synchronized (forks) { meals++; } } } }); }
        for (Thread t : ts) t.start();
        for (Thread t : ts) t.join();
        System.out.println(meals);
        Semaphore s = new Semaphore(2, true);
        for (int i = 0; i < 4; i++) ts[i] = new Thread(() -> { for (int k = 0; k < 20; k++) { s.acquireUninterruptibly(); synchronized (forks) { inside++; most = Math.max(most, inside); } synchronized (forks) { inside--; } s.release(); } });
        for (Thread t : ts) t.start();
        for (Thread t : ts) t.join();
        System.out.println((most <= 2) + " " + inside + s.availablePermits());
        StampedLock l = new StampedLock();
        boolean[] torn = new boolean[1];
        for (int i = 0; i < 4; i++) { boolean w = i < 2; ts[i] = new Thread(() -> { for (int k = 0; k < 50; k++) if (w) { long st = l.writeLock(); x++; y--; l.unlockWrite(st); } else { long st = l.tryOptimisticRead(); double a = x, b = y; if (!l.validate(st)) { st = l.readLock(); a = x; b = y; l.unlockRead(st); } if (a + b != 0) torn[0] = true; } }); }
        for (Thread t : ts) t.start();
        for (Thread t : ts) t.join();
        System.out.println(x + " " + y + torn[0]);
    }
}
