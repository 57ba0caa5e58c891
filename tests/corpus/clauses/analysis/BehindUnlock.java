// shares: count not guarded
import java.util.concurrent.locks.ReentrantLock;

/** What follows an unlock is not guarded. */
public class BehindUnlock {
    static final ReentrantLock lock = new ReentrantLock();
    static int count;

    static void more() {
        lock.lock();
        lock.unlock();
        count++;
    }

    public static void main(String[] args) {
        new Thread(BehindUnlock::more).start();
        more();
    }
}
