// expect: deadlock
// A consumer takes one more than there is.
import java.util.concurrent.ArrayBlockingQueue;

public class TakeTooMuch {
    public static void main(String[] args) throws InterruptedException {
        ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(2);
        new Thread(() -> queue.add(1)).start();
        queue.take();
        queue.take(); // <- deadlock
    }
}
