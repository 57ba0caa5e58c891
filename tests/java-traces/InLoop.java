// expect: holds
// spurious: holds
public class InLoop {
    static final Object LOCK = new Object();
    static boolean ready;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (LOCK) {
                ready = true;
                LOCK.notify();
            }
        });
        other.start();
        synchronized (LOCK) {
            while (!ready) {
                LOCK.wait();
            }
            assert ready;
        }
    }
}
