// expect: illegal-monitor-state
// A signal without the lock.
import java.util.concurrent.locks.ReentrantLock;

public class ConditionNotOwned {
    public static void main(String[] args) {
        ReentrantLock lock = new ReentrantLock();
        new Thread(() -> lock.newCondition().signal()).start(); // <- illegal-monitor-state
    }
}
