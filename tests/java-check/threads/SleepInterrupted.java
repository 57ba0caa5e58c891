// expect: assertion
// A sleep may be over before the interrupt comes.
public class SleepInterrupted {
    static volatile boolean wasInterrupted;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            try {
                Thread.sleep(1000);
            } catch (InterruptedException e) {
                wasInterrupted = true;
            }
        });
        other.start();
        other.interrupt();
        other.join();
        assert wasInterrupted; // <- assertion
    }
}
