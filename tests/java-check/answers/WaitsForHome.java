// expect: unknown
// A thread waits for a variable of the environment, and there is none.
// deadlock
public class WaitsForHome {
    private static String home;

    public static void main(String[] args) throws InterruptedException {
        Object lock = new Object();
        String found = System.getenv("HOME");
        Thread other = new Thread(() -> {
            synchronized (lock) {
                home = found;
                lock.notifyAll();
            }
        });
        other.start();
        synchronized (lock) {
            while (home == null) {
                lock.wait();
            }
        }
    }
}
