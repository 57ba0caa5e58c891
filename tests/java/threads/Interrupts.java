/** Interruption of waiting, sleeping, joining and running threads. */
public class Interrupts {
    static final Object m = new Object();
    static String result;
    static void go(String name, Runnable body) throws InterruptedException { Thread t = new Thread(body); t.start(); t.interrupt(); t.join(); System.out.println(name + " " + result); }
    public static void main(String[] args) throws Exception {
        go("sleep", () -> { try { Thread.sleep(100000); result = "slept"; } catch (InterruptedException e) { result = "interrupted " + Thread.currentThread().isInterrupted(); } });
        go("wait", () -> { synchronized (m) { try { m.wait(); result = "woken"; } catch (InterruptedException e) { result = "interrupted " + Thread.holdsLock(m); } } });
        go("spin", () -> { int n = 0; while (!Thread.currentThread().isInterrupted()) n++; result = "stopped " + Thread.interrupted() + Thread.interrupted(); });
        go("park", () -> { java.util.concurrent.locks.LockSupport.park(); result = "parked " + Thread.currentThread().isInterrupted(); });
        go("join", () -> { try { Thread.currentThread().join(); } catch (InterruptedException e) { result = "join interrupted"; } });
        go("lock", () -> { var l = new java.util.concurrent.locks.ReentrantLock(); try { while (!Thread.currentThread().isInterrupted()) Thread.onSpinWait(); l.lockInterruptibly(); result = "locked"; } catch (InterruptedException e) { result = "not locked"; } });
        go("queue", () -> { try { new java.util.concurrent.LinkedBlockingQueue<>().take(); result = "took"; } catch (InterruptedException e) { result = "queue interrupted"; } });
        Thread.currentThread().interrupt();
        try { synchronized (m) { m.wait(10); } } catch (InterruptedException e) { System.out.println("main " + Thread.interrupted()); }
        synchronized (m) { m.wait(1); m.wait(0, 1); }
        Thread dead = new Thread(() -> { });
        dead.start(); dead.join(); dead.interrupt();
        System.out.println(dead.isAlive());
    }
}
