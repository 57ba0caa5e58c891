// expect: holds
// Times that are kept and never compared are the same to everybody.
public class ClockKept {
    static final java.util.concurrent.atomic.AtomicLong LAST =
            new java.util.concurrent.atomic.AtomicLong();
    static volatile long[] times = new long[2];

    static void keep() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        LAST.set(System.nanoTime());
        times[0] = System.currentTimeMillis();
        assert times.length == 2;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(ClockKept::keep);
        other.start();
        other.join();
        keep();
    }
}
