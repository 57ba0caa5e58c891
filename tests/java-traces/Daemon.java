// expect: holds
public class Daemon {
    public static void main(String[] args) throws InterruptedException {
        Object lock = new Object();
        Thread daemon = new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    assert false;
                }
            }
        });
        daemon.setDaemon(true);
        daemon.start();
        daemon.join(10);
    }
}
