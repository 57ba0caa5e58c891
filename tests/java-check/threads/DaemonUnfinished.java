// expect: holds
// A daemon that waits for ever does not keep the program alive.
public class DaemonUnfinished {
    public static void main(String[] args) {
        Object lock = new Object();
        Thread daemon = new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        daemon.setDaemon(true);
        daemon.start();
    }
}
