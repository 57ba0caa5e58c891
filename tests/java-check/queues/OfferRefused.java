// expect: assertion
// offer does not wait for a place, and says so.
import java.util.concurrent.ArrayBlockingQueue;

public class OfferRefused {
    public static void main(String[] args) throws InterruptedException {
        ArrayBlockingQueue<String> queue = new ArrayBlockingQueue<>(1);
        new Thread(() -> queue.offer("a")).start();
        boolean isIn = queue.offer("b");
        assert isIn; // <- assertion
    }
}
