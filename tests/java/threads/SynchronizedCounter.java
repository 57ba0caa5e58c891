/** Mutual exclusion by synchronized methods, blocks and class locks. */
public class SynchronizedCounter {
    static int shared, stat; int mine; final Object lock = new Object();
    static synchronized void bump() { stat++; }
    synchronized int add(int n) { return n == 0 ? mine : add(n - 1) + (mine++ >= 0 ? 0 : 1); }
    public static void main(String[] args) throws InterruptedException {
        SynchronizedCounter c = new SynchronizedCounter();
        Thread[] ts = new Thread[6];
        for (int i = 0; i < ts.length; i++) ts[i] = new Thread(() -> {
            for (int k = 0; k < 200; k++) {
                synchronized (c.lock) { shared++; synchronized (c.lock) { shared++; } }
                bump();
                synchronized (SynchronizedCounter.class) { stat += 2; }
                c.add(1);
                try { synchronized (c) { if (k % 50 == 0) throw new RuntimeException(); c.mine++; } } catch (RuntimeException e) { synchronized (c) { c.mine--; } }
            }
        });
        for (Thread t : ts) t.start();
        for (Thread t : ts) t.join();
        System.out.println(shared + " " + stat + " " + c.mine + " " + Thread.holdsLock(c));
    }
}
