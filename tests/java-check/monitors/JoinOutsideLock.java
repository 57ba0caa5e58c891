// expect: holds
// A thread is joined after the lock that it needs was given back.
public class JoinOutsideLock {
    static final Object lock = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (lock) {
                lock.notifyAll();
            }
        });
        synchronized (lock) {
            other.start();
        }
        other.join();
    }
}
