// expect: deadlock
import java.util.concurrent.locks.ReentrantLock;

public class Reentrant {
    private final ReentrantLock a = new ReentrantLock();
    private static final ReentrantLock B = new ReentrantLock();

    public static void main(String[] args) {
        Reentrant it = new Reentrant();
        Thread other = new Thread(() -> {
            B.lock();
            it.a.lock();
            it.a.unlock();
            B.unlock();
        }, "other");
        other.start();
        it.a.lock();
        B.lock();
        B.unlock();
        it.a.unlock();
    }
}
