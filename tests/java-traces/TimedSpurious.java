// expect: assertion
// spurious: assertion
public class TimedSpurious {
    static final Object LOCK = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> { });
        other.start();
        long before = System.nanoTime();
        synchronized (LOCK) {
            LOCK.wait(1000);
        }
        assert System.nanoTime() - before < 1_000_000_000L;
    }
}
