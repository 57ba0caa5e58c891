// expect: holds
// A linked queue: what one thread puts the other one takes.
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

public class LinkedQueue {
    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>(1);
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
