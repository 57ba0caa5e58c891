// expect: holds
// A notification is not lost with a thread that is interrupted at the same time.
public class InterruptOrNotify {
    static final Object lock = new Object();
    static boolean isOpen;

    static void pass() {
        synchronized (lock) {
            try {
                while (!isOpen) lock.wait();
                lock.notify();
            } catch (InterruptedException e) {
                // If it was notified, somebody else is instead.
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread one = new Thread(InterruptOrNotify::pass);
        Thread two = new Thread(InterruptOrNotify::pass);
        one.start();
        two.start();
        synchronized (lock) {
            isOpen = true;
            lock.notify();
        }
        one.interrupt();
        two.join();
    }
}
