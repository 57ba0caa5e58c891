// expect: holds
// A stack with compareAndSet of its top.
import java.util.concurrent.atomic.AtomicReference;

public class Stack {
    record Node(int value, Node next) {}

    static final AtomicReference<Node> top = new AtomicReference<>();

    static void push(int value) {
        Node old;
        do {
            old = top.get();
        } while (!top.compareAndSet(old, new Node(value, old)));
    }

    static int pop() {
        Node old;
        do {
            old = top.get();
        } while (!top.compareAndSet(old, old.next()));
        return old.value();
    }

    public static void main(String[] args) throws InterruptedException {
        push(1);
        Thread other = new Thread(() -> push(2));
        other.start();
        int popped = pop();
        other.join();
        assert popped + pop() == 3 && top.get() == null;
    }
}
