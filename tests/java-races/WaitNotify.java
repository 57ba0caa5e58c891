// expect: holds
public class WaitNotify {
    static final Object LOCK = new Object();
    static boolean ready;
    static int data;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            data = 8;
            synchronized (LOCK) {
                ready = true;
                LOCK.notifyAll();
            }
        });
        other.start();
        synchronized (LOCK) {
            while (!ready) {
                LOCK.wait();
            }
        }
        assert data == 8;
    }
}
