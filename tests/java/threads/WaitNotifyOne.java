/** notify wakes exactly one of several waiters; all are woken in the end. */
public class WaitNotifyOne {
    static int waiting, tokens, passed;
    static final Object m = new Object();
    public static void main(String[] args) throws InterruptedException {
        Thread[] ts = new Thread[3];
        for (int i = 0; i < 3; i++) { ts[i] = new Thread(() -> { synchronized (m) { waiting++; m.notifyAll(); try { while (tokens == 0) m.wait(); } catch (InterruptedException e) { return; } tokens--; passed++; m.notifyAll(); } }); ts[i].start(); }
        synchronized (m) { while (waiting < 3) m.wait(); }
        System.out.println("all wait");
        for (int k = 1; k <= 3; k++) synchronized (m) { tokens++; m.notify(); while (passed < k) m.wait(10); System.out.println("passed " + passed + " tokens " + tokens); }
        for (Thread t : ts) t.join();
        Object own = new Object();
        int[] n = {0};
        Thread a = new Thread(() -> { synchronized (own) { n[0] = 1; own.notify(); try { while (n[0] == 1) own.wait(); } catch (InterruptedException e) { } n[0] = 3; own.notify(); } });
        synchronized (own) { a.start(); while (n[0] != 1) own.wait(); n[0] = 2; own.notify(); while (n[0] != 3) own.wait(); }
        a.join();
        System.out.println(n[0]);
        synchronized (m) { synchronized (m) { m.wait(5); System.out.println("reentrant wait " + Thread.holdsLock(m)); } }
        synchronized (m) { m.notify(); m.notifyAll(); }
        try { m.wait(-1); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
    }
}
