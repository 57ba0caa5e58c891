import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

/** Thread states as seen from outside; a timer. */
public class TimersAndStates {
    public static void main(String[] args) throws Exception {
        Object m = new Object();
        Thread waiting = new Thread(() -> { synchronized (m) { try { m.wait(); } catch (InterruptedException e) { } } });
        System.out.println(waiting.getState());
        waiting.start();
        while (waiting.getState() != Thread.State.WAITING) Thread.yield();
        System.out.println(waiting.getState());
        Thread blocked = new Thread(() -> { synchronized (m) { } });
        synchronized (m) { blocked.start(); while (blocked.getState() != Thread.State.BLOCKED) Thread.yield(); System.out.println(blocked.getState()); m.notify(); }
        waiting.join(); blocked.join();
        System.out.println(waiting.getState() + " " + blocked.getState());
        Thread timed = new Thread(() -> { try { Thread.sleep(1000000); } catch (InterruptedException e) { } });
        timed.start();
        while (timed.getState() != Thread.State.TIMED_WAITING) Thread.yield();
        System.out.println(timed.getState());
        timed.interrupt();
        timed.join();
        Timer t = new Timer(true);
        CountDownLatch l = new CountDownLatch(3);
        StringBuffer b = new StringBuffer();
        t.schedule(new TimerTask() { int n; @Override public void run() { b.append(n++); l.countDown(); if (n == 3) cancel(); } }, 0, 1);
        l.await();
        t.cancel();
        System.out.println(b);
        ThreadGroup g = new ThreadGroup("group");
        Thread in = new Thread(g, () -> System.out.println(Thread.currentThread().getThreadGroup().getName()), "in");
        in.start();
        in.join();
    }
}
