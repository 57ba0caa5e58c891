/** Two threads take turns through one monitor; the output order is forced. */
public class PingPong {
    static boolean ping = true; static final Object m = new Object(); static StringBuilder log = new StringBuilder();
    static void play(boolean mine, String s) {
        for (int i = 0; i < 5; i++) synchronized (m) {
            while (ping != mine) try { m.wait(); } catch (InterruptedException e) { return; }
            log.append(s).append(i).append(' ');
            ping = !mine;
            m.notify();
        }
    }
    static int turn; static final int N = 4;
    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> play(true, "ping")), b = new Thread(() -> play(false, "pong"));
        b.start(); a.start();
        a.join(); b.join();
        System.out.println(log);
        Thread[] ring = new Thread[N];
        for (int i = 0; i < N; i++) { int me = i; ring[i] = new Thread(() -> { for (int round = 0; round < 3; round++) synchronized (m) { while (turn % N != me) try { m.wait(); } catch (InterruptedException e) { return; } System.out.print(me); turn++; m.notifyAll(); } }); }
        for (Thread t : ring) t.start();
        for (Thread t : ring) t.join();
        System.out.println(" " + turn);
    }
}
