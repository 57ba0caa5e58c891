// expect: assertion
import java.util.concurrent.atomic.AtomicReference;

/** Treiber's stack. */
public class TreiberStackPlain {
    static class Node {
        int value;
        Node next;
    }

    static final AtomicReference<Node> top = new AtomicReference<>();

    static void push(int value) {
        Node node = new Node();
        node.value = value;
        Node old;
        do {
            old = top.getPlain();
            node.next = old;
        } while (!top.weakCompareAndSetPlain(old, node));
    }

    static int pop() {
        Node old;
        do {
            old = top.getPlain();
            if (old == null) {
                return -1;
            }
        } while (!top.weakCompareAndSetPlain(old, old.next));
        return old.value;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread pusher = new Thread(() -> {
            push(1);
            push(2);
        });
        pusher.start();
        int first = pop();
        int second = pop();
        assert first != 0 && second != 0 : "a value that nobody has pushed";
        assert first == -1 || first != second : "a value comes twice";
        pusher.join();
    }
}
