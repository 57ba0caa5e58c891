// expect: assertion
import java.util.concurrent.atomic.AtomicReference;

/** The queue of Michael and Scott. */
public class MichaelScottQueuePlain {
    static class Node {
        int value;
        final AtomicReference<Node> next = new AtomicReference<>();
    }

    static final AtomicReference<Node> head, tail;

    static {
        Node first = new Node();
        head = new AtomicReference<>(first);
        tail = new AtomicReference<>(first);
    }

    static void enqueue(int value) {
        Node node = new Node();
        node.value = value;
        while (true) {
            Node last = tail.get();
            Node next = last.next.getPlain();
            if (next != null) {
                tail.compareAndSet(last, next);
            } else if (last.next.weakCompareAndSetPlain(null, node)) {
                tail.compareAndSet(last, node);
                return;
            }
        }
    }

    static int dequeue() {
        while (true) {
            Node first = head.get();
            Node next = first.next.getPlain();
            if (next == null) {
                return -1;
            }
            if (head.compareAndSet(first, next)) {
                return next.value;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread producer = new Thread(() -> {
            enqueue(1);
            enqueue(2);
        });
        producer.start();
        int first = dequeue();
        int second = dequeue();
        assert first == -1 || first == 1 : "not the first one";
        assert second == -1 || second == (first == 1 ? 2 : 1) : "not the next one";
        producer.join();
    }
}
