// expect: holds
// A notification for each of two waiters.
public class TwoWaitersWoken {
    static int token;
    static final Object lock = new Object();

    static void take() {
        synchronized (lock) {
            while (token == 0) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            token--;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(TwoWaitersWoken::take);
        Thread b = new Thread(TwoWaitersWoken::take);
        a.start();
        b.start();
        for (int i = 0; i < 2; i++) {
            synchronized (lock) {
                token++;
                lock.notify();
            }
        }
        a.join();
        b.join();
    }
}
