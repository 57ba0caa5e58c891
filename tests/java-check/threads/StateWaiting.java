// expect: holds
// Who sees that a thread waits may notify it, and does not come too early.
public class StateWaiting {
    static final Object LOCK = new Object();

    static void waits() {
        synchronized (LOCK) {
            try {
                LOCK.wait();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(StateWaiting::waits);
        other.start();
        while (other.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        synchronized (LOCK) {
            LOCK.notify();
        }
        other.join();
    }
}
