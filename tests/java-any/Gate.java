// any: holds
import java.util.concurrent.CountDownLatch;

public class Gate {
    static final CountDownLatch gate = new CountDownLatch(1);
    static int configuration;

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            new Thread(() -> {
                try {
                    gate.await();
                    assert configuration == 7;
                } catch (InterruptedException e) {
                    return;
                }
            }, "visitor").start();
        }
        configuration = 7;
        gate.countDown();
    }
}
