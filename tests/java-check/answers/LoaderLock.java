// expect: unknown
// Classes are loaded without the lock of their loader, which the program takes.
public class LoaderLock {
    public static void main(String[] args) throws InterruptedException {
        Object lock = new Object();
        Thread other = new Thread(() -> {
            synchronized (lock) {
                synchronized (LoaderLock.class.getClassLoader()) {
                    lock.notifyAll();
                }
            }
        });
        other.start();
        synchronized (LoaderLock.class.getClassLoader()) {
            synchronized (lock) {
                lock.notifyAll();
            }
        }
        other.join();
    }
}
