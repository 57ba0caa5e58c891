// expect: holds
// An interrupt is a request that the thread looks for.
public class InterruptFlag {
    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) Thread.onSpinWait();
            assert Thread.interrupted();
            assert !Thread.currentThread().isInterrupted();
        });
        other.start();
        other.interrupt();
        other.join();
    }
}
