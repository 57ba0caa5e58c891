// expect: assertion
// A sleep orders nothing.
public class SleepIsNoOrder {
    static volatile boolean isDone;

    public static void main(String[] args) throws InterruptedException {
        new Thread(() -> isDone = true).start();
        Thread.sleep(100);
        assert isDone; // <- assertion
    }
}
