// shares: count not guarded
/** A field that is not final may lead to another lock the next time. */
public class LockThatChanges {
    Object lock = new Object();
    int count;

    void more() {
        lock = new Object();
        synchronized (lock) {
            count++;
        }
    }

    public static void main(String[] args) {
        LockThatChanges it = new LockThatChanges();
        new Thread(it::more).start();
        it.more();
    }
}
