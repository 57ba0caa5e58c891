// expect: deadlock
import java.util.concurrent.locks.*;

/** Who reads cannot get the lock for writing. */
class Upgraded {
    private final ReadWriteLock rw = new ReentrantReadWriteLock();
    private int cached;

    int get() {
        rw.readLock().lock();
        try {
            if (cached == 0) {
                rw.writeLock().lock();
                try { cached = 42; } finally { rw.writeLock().unlock(); }
            }
            return cached;
        } finally {
            rw.readLock().unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Upgraded u = new Upgraded();
        Thread a = new Thread(u::get, "a");
        a.start();
        u.get();
    }
}
