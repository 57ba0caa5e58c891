// expect: holds
// Two threads meet at a barrier: each sees what the other did before.
import java.util.concurrent.CyclicBarrier;

public class BarrierMeets {
    static int left, right;

    public static void main(String[] args) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        new Thread(() -> {
            left = 1;
            try {
                barrier.await();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            assert right == 1;
        }).start();
        right = 1;
        barrier.await();
        assert left == 1;
    }
}
