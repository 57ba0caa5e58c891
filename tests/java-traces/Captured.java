// expect: deadlock
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** A lock that is inherited, and one that is a variable which a lambda has. */
class Captured {
    static abstract class Base { protected final ReentrantLock guard = new ReentrantLock(); }
    static class Cache extends Base {
        void both(ReentrantLock other) { guard.lock(); other.lock(); other.unlock(); guard.unlock(); }
    }
    public static void main(String[] args) throws Exception {
        Cache cache = new Cache();
        ReentrantLock local = new ReentrantLock();
        Thread t = new Thread(() -> { local.lock(); cache.guard.lock(); cache.guard.unlock(); local.unlock(); }, "t");
        t.start();
        cache.both(local);
    }
}
