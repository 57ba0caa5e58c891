// expect: deadlock
// A barrier for three threads, of which there are two.
import java.util.concurrent.CyclicBarrier;

public class BarrierTooFew {
    static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(); // <- deadlock
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) {
        CyclicBarrier barrier = new CyclicBarrier(3);
        new Thread(() -> meet(barrier)).start();
        meet(barrier); // <- deadlock
    }
}
