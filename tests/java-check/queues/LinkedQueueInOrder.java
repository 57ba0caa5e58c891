// expect: holds
// A linked queue of one place: items come in order.
// slow
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

public class LinkedQueueInOrder {
    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>(1);
        new Thread(() -> {
            try {
                queue.put(1);
                queue.put(2);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }).start();
        int first = queue.take(), second = queue.take();
        assert first == 1 && second == 2 : first + " " + second;
    }
}
