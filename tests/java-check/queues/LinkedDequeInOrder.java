// expect: holds
// A blocking deque used as a queue.
// slow
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

public class LinkedDequeInOrder {
    public static void main(String[] args) throws InterruptedException {
        BlockingDeque<Integer> queue = new LinkedBlockingDeque<>(1);
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
