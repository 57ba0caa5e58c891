// expect: assertion
// A priority queue gives the smaller item first only if it is there already.
import java.util.concurrent.PriorityBlockingQueue;

public class PriorityOrder {
    public static void main(String[] args) throws InterruptedException {
        PriorityBlockingQueue<Integer> queue = new PriorityBlockingQueue<>();
        new Thread(() -> {
            queue.put(2);
            queue.put(1);
        }).start();
        assert queue.take() == 1; // <- assertion
    }
}
