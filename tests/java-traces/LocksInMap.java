// expect: deadlock
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** Locks that are known by the keys of a map. */
public class LocksInMap {
    static final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

    static void move(String from, String to) {
        ReentrantLock outer = locks.get(from);
        ReentrantLock inner = locks.get(to);
        outer.lock();
        inner.lock();
        inner.unlock();
        outer.unlock();
    }

    public static void main(String[] args) {
        locks.put("apples", new ReentrantLock());
        locks.put("pears", new ReentrantLock());
        new Thread(() -> move("apples", "pears")).start();
        move("pears", "apples");
    }
}
