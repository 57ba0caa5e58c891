// expect: exception
// A queue is empty although it was looked at before.
import java.util.concurrent.ConcurrentLinkedQueue;

public class EmptyThenRemove {
    static final ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();

    static void drain() {
        if (!queue.isEmpty()) queue.remove(); // <- exception
    }

    public static void main(String[] args) {
        queue.add(1);
        new Thread(EmptyThenRemove::drain).start();
        drain();
    }
}
