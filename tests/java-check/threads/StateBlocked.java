// expect: assertion
// A thread that wants a monitor may have come to it or not.
public class StateBlocked {
    public static void main(String[] args) throws InterruptedException {
        Object lock = new Object();
        Thread other = new Thread(() -> {
            synchronized (lock) {
                lock.notify();
            }
        });
        synchronized (lock) {
            other.start();
            assert other.getState() != Thread.State.BLOCKED; // <- assertion
        }
        other.join();
    }
}
