// expect: holds
// A priority queue gives each item once.
import java.util.concurrent.PriorityBlockingQueue;

public class PriorityAll {
    public static void main(String[] args) throws InterruptedException {
        PriorityBlockingQueue<Integer> queue = new PriorityBlockingQueue<>();
        new Thread(() -> {
            queue.put(2);
            queue.put(1);
        }).start();
        assert queue.take() + queue.take() == 3;
    }
}
