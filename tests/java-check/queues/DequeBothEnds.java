// expect: holds
// Two threads take from both ends of a deque: each item once.
import java.util.concurrent.ConcurrentLinkedDeque;

public class DequeBothEnds {
    static int first, second;

    public static void main(String[] args) throws InterruptedException {
        ConcurrentLinkedDeque<Integer> deque = new ConcurrentLinkedDeque<>();
        deque.add(1);
        deque.add(2);
        Thread other = new Thread(() -> first = deque.pollFirst());
        other.start();
        second = deque.pollLast();
        other.join();
        assert first + second == 3 : first + " " + second;
    }
}
