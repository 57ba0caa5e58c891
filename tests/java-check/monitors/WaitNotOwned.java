// expect: illegal-monitor-state
// wait without the monitor.
public class WaitNotOwned {
    public static void main(String[] args) throws InterruptedException {
        Object lock = new Object();
        Thread other = new Thread(() -> {
            synchronized (lock) {
                lock.notifyAll();
            }
        });
        other.start();
        lock.wait(10); // <- illegal-monitor-state
    }
}
