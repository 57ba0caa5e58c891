// expect: holds
// A transfer queue: items come in order.
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedTransferQueue;

public class Transfer {
    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<Integer> queue = new LinkedTransferQueue<>();
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
