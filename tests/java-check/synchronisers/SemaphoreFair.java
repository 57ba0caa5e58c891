// expect: holds
// A fair semaphore as a signal.
import java.util.concurrent.Semaphore;

public class SemaphoreFair {
    static int value;

    public static void main(String[] args) throws InterruptedException {
        Semaphore done = new Semaphore(0, true);
        new Thread(() -> {
            value = 1;
            done.release();
        }).start();
        done.acquire();
        assert value == 1;
    }
}
