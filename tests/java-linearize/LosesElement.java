// flags: --class LosesElement --size 2x1 --operation 'offer(1)' --operation 'poll()'
// violated: after: poll() = null
import java.util.concurrent.atomic.AtomicReference;

/** Two that add at the same time: one of the elements is lost, which only shows at the end. */
public class LosesElement {
    private static final class Node {
        final int value;
        final Node next;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    private volatile Node first;

    public void offer(int value) {
        first = new Node(value, first);
    }

    public synchronized Integer poll() {
        Node old = first;
        if (old == null) return null;
        first = old.next;
        return old.value;
    }
}
