// expect: assertion
// A stack whose top is set without looking whether it is still the same.
import java.util.concurrent.atomic.AtomicReference;

public class StackWrong {
    record Node(int value, Node next) {}

    static final AtomicReference<Node> top = new AtomicReference<>();

    static void push(int value) {
        top.set(new Node(value, top.get()));
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> push(2));
        other.start();
        push(1);
        other.join();
        assert top.get().next() != null; // <- assertion
    }
}
