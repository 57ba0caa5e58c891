// any: violated
import java.util.concurrent.atomic.AtomicInteger;

public class MonitorSemaphoreIf {
    static final Object lock = new Object();
    static int permits = 2;
    static final AtomicInteger inside = new AtomicInteger();

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            new Thread(() -> {
                try {
                    while (true) {
                        synchronized (lock) {
                            if (permits == 0) lock.wait();
                            permits--;
                        }
                        assert inside.incrementAndGet() <= 2;
                        inside.decrementAndGet();
                        synchronized (lock) {
                            permits++;
                            lock.notify();
                        }
                    }
                } catch (InterruptedException e) {
                    return;
                }
            }).start();
        }
    }
}
