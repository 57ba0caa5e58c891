// expect: holds
// A synchronous queue hands over one item after the other.
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;

public class Handover {
    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<Integer> queue = new SynchronousQueue<>();
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
