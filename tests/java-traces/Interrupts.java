// expect: holds
public class Interrupts {
    static volatile boolean interrupted;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            try {
                Object lock = new Object();
                synchronized (lock) {
                    lock.wait();
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        });
        other.start();
        other.interrupt();
        other.join();
        assert interrupted;
    }
}
