// expect: holds
// The action of a barrier runs once in each round, before anybody goes on.
import java.util.concurrent.CyclicBarrier;

public class BarrierAction {
    static int rounds;
    static final CyclicBarrier barrier = new CyclicBarrier(2, () -> rounds++);

    static void play() {
        try {
            barrier.await();
            assert rounds == 1;
            barrier.await();
            assert rounds == 2;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) {
        new Thread(BarrierAction::play).start();
        play();
    }
}
