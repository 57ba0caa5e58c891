// expect: partial-deadlock
// Two threads wait for each other while a third one spins.
public class StuckBesideSpinning {
    static final Object a = new Object();
    static final Object b = new Object();
    static volatile boolean stop;

    public static void main(String[] args) {
        Thread spinning = new Thread(() -> { while (!stop) Thread.yield(); });
        Thread other = new Thread(() -> { synchronized (b) { synchronized (a) { stop = true; } } }); // <- partial-deadlock
        spinning.start();
        other.start();
        synchronized (a) { synchronized (b) { stop = true; } } // <- partial-deadlock
    }
}
