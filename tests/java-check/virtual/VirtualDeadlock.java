// expect: deadlock
// Two virtual threads take two locks in opposite orders.
// jdk 21
import java.util.concurrent.locks.ReentrantLock;

public class VirtualDeadlock {
    static final ReentrantLock a = new ReentrantLock(), b = new ReentrantLock();

    static void both(ReentrantLock first, ReentrantLock second) {
        first.lock();
        second.lock(); // <- deadlock
        second.unlock();
        first.unlock();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread one = Thread.startVirtualThread(() -> both(a, b));
        Thread two = Thread.startVirtualThread(() -> both(b, a));
        one.join(); // <- deadlock
        two.join();
    }
}
