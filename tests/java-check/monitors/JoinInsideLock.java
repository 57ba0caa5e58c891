// expect: deadlock
// A thread is joined by whoever holds the lock that it needs.
public class JoinInsideLock {
    static final Object lock = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (lock) { // <- deadlock
                lock.notifyAll();
            }
        });
        synchronized (lock) {
            other.start();
            other.join(); // <- deadlock
        }
    }
}
