// any: holds
public class Pool {
    static final Object lock = new Object();
    static int free = 3;

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                try {
                    while (true) {
                        synchronized (lock) {
                            while (free == 0) lock.wait();
                            free--;
                            assert free >= 0;
                        }
                        synchronized (lock) {
                            free++;
                            assert free <= 3;
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
