// expect: holds
// A blocking deque: what one thread puts the other one takes.
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

public class LinkedDeque {
    public static void main(String[] args) throws InterruptedException {
        BlockingDeque<Integer> queue = new LinkedBlockingDeque<>(1);
        new Thread(() -> {
            try {
                queue.put(7);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }).start();
        assert queue.take() == 7;
    }
}
