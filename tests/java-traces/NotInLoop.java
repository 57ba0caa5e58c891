// expect: holds
// spurious: assertion
public class NotInLoop {
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
            if (!ready) {
                LOCK.wait();
            }
            assert ready;
        }
    }
}
