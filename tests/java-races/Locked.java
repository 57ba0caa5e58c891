// expect: holds
import java.util.concurrent.locks.ReentrantLock;

public class Locked {
    static final ReentrantLock LOCK = new ReentrantLock();
    static int value;

    static void add() {
        LOCK.lock();
        try {
            value++;
        } finally {
            LOCK.unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(Locked::add);
        other.start();
        add();
        other.join();
        assert value == 2;
    }
}
