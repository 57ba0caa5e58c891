// expect: exception
// An interrupt of one thread breaks the barrier for the other one.
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

public class BarrierBroken {
    public static void main(String[] args) throws InterruptedException {
        CyclicBarrier barrier = new CyclicBarrier(2);
        Thread other = new Thread(() -> {
            try {
                barrier.await();
            } catch (InterruptedException e) {
                // It was told to stop.
            } catch (BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
        });
        other.start();
        other.interrupt();
        try {
            barrier.await();
        } catch (BrokenBarrierException e) {
            throw new IllegalStateException("broken"); // <- exception
        }
    }
}
