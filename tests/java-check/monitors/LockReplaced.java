// expect: assertion
// The field that names the lock is assigned while it is used.
public class LockReplaced {
    static Object lock = new Object();
    static int count;

    static void add() {
        synchronized (lock) {
            lock = new Object();
            int seen = count;
            count = seen + 1;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(LockReplaced::add);
        other.start();
        add();
        other.join();
        assert count == 2 : count; // <- assertion
    }
}
