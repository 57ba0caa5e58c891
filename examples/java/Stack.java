import java.util.concurrent.atomic.AtomicReference;
import raddle.Operation;

/** A stack without locks, of which one method was written in a hurry. */
class Stack {
    private record Node(int value, Node next) {}

    private final AtomicReference<Node> top = new AtomicReference<>();

    @Operation
    void push(int value) {
        Node old;
        do {
            old = top.get();
        } while (!top.compareAndSet(old, new Node(value, old)));
    }

    @Operation
    Integer pop() {
        Node old = top.get();
        if (old == null) return null;
        top.set(old.next());
        return old.value();
    }
}
