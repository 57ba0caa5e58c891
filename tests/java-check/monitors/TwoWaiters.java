// expect: deadlock
// One notification for two waiters.
public class TwoWaiters {
    static int token;
    static final Object lock = new Object();

    static void take() {
        synchronized (lock) {
            while (token == 0) {
                try {
                    lock.wait(); // <- deadlock
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            token--;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(TwoWaiters::take);
        Thread b = new Thread(TwoWaiters::take);
        a.start();
        b.start();
        synchronized (lock) {
            token = 2;
            lock.notify();
        }
        a.join(); // <- deadlock
        b.join(); // <- deadlock
    }
}
