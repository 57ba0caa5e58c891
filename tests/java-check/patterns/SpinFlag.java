// expect: holds
// A volatile flag that is waited for by spinning.
public class SpinFlag {
    static volatile boolean isReady;
    static int value;

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> {
            value = 7;
            isReady = true;
        });
        writer.start();
        while (!isReady) Thread.onSpinWait();
        assert value == 7;
        writer.join();
    }
}
