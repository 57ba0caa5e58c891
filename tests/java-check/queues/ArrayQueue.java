// expect: holds
// An array queue: what one thread puts the other one takes.
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

public class ArrayQueue {
    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
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
