// expect: holds
import raddle.Check;

public class AtomicBlocks {
    static int count;

    static void increment() {
        Check.atomic(() -> {
            int old = count;
            count = old + 1;
        });
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(() -> increment());
        other.start();
        increment();
        other.join();
        assert count == 2;
    }
}
