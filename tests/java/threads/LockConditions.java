import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** ReentrantLock under contention, conditions, read-write locks. */
public class LockConditions {
    static final ReentrantLock lock = new ReentrantLock(); static final Condition full = lock.newCondition(), empty = lock.newCondition(); static final ArrayDeque<Integer> q = new ArrayDeque<>(); static int n; static long sum;
    static void put(int x) throws InterruptedException { lock.lock(); try { while (q.size() >= 2) full.await(); q.add(x); empty.signal(); } finally { lock.unlock(); } }
    static int take() throws InterruptedException { lock.lockInterruptibly(); try { while (q.isEmpty()) empty.await(); full.signal(); return q.poll(); } finally { lock.unlock(); } }
    interface Body { void run() throws Exception; }
    static Thread start(Body b) { Thread t = new Thread(() -> { try { b.run(); } catch (Exception e) { System.out.println(e); } }); t.start(); return t; }
    public static void main(String[] args) throws Exception {
        Thread[] ts = new Thread[4];
        for (int i = 0; i < 4; i++) ts[i] = start(() -> { for (int k = 0; k < 100; k++) { lock.lock(); try { n++; } finally { lock.unlock(); } } });
        for (Thread t : ts) t.join();
        System.out.println(n);
        Thread p = start(() -> { for (int i = 1; i <= 50; i++) put(i); put(-1); }), c = start(() -> { for (int x; (x = take()) > 0; ) sum += x; });
        p.join(); c.join();
        System.out.println(sum + " " + q.size() + lock.isLocked());
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
        int[] data = {0, 0};
        boolean[] torn = {false};
        for (int i = 0; i < 4; i++) { boolean w = i % 2 == 0; ts[i] = start(() -> { for (int k = 0; k < 50; k++) if (w) { rw.writeLock().lock(); data[0]++; data[1]++; rw.writeLock().unlock(); } else { rw.readLock().lock(); if (data[0] != data[1]) torn[0] = true; rw.readLock().unlock(); } }); }
        for (Thread t : ts) t.join();
        System.out.println(data[0] + " " + data[1] + torn[0]);
        lock.lock();
        Thread blocked = start(() -> { System.out.println("try " + lock.tryLock()); lock.lock(); System.out.println("got " + lock.getHoldCount()); lock.unlock(); });
        while (!lock.hasQueuedThread(blocked)) Thread.yield();
        System.out.println("releasing " + lock.getQueueLength());
        lock.unlock();
        blocked.join();
    }
}
