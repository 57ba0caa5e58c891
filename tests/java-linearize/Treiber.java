// flags: --class Treiber --operation 'push(1)' --operation 'pop()' --before 0 --after 0
// holds
import java.util.concurrent.atomic.AtomicReference;

public class Treiber {
    private static final class Node {
        final int value;
        final Node next;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    private final AtomicReference<Node> top = new AtomicReference<>();

    @raddle.Operation
    public void push(int value) {
        Node old;
        do {
            old = top.get();
        } while (!top.compareAndSet(old, new Node(value, old)));
    }

    @raddle.Operation
    public Integer pop() {
        while (true) {
            Node old = top.get();
            if (old == null) return null;
            if (top.compareAndSet(old, old.next)) return old.value;
        }
    }
}
