// expect: fault
/**
 * Objects are reached in other ways from step to step, or not at all any more: a list is divided, put together in
 * another order, and what hangs below its elements changes.
 */
public class Relinked {
    static class Node {
        volatile Node next;
        volatile int[] values;

        Node(int value, Node next) {
            values = new int[] {value};
            this.next = next;
        }
    }

    static volatile Node first, last;
    static volatile int sum;

    public static void main(String[] args) throws InterruptedException {
        first = new Node(1, new Node(2, new Node(3, null)));
        last = first.next.next;
        Thread other = new Thread(Relinked::divide);
        other.start();
        Node old = first;
        first = old.next;
        old.next = null;
        last.next = old;
        last = old;
        other.join();
        Node at = first;
        for (int count = 0; at != null && count < 4; count++) {
            sum += at.values[0];
            at = at.next;
        }
        assert sum == 6;
    }

    static void divide() {
        Node rest = first.next;
        if (rest != null) {
            first.next = rest.next;
            rest.values = new int[] {2};
            rest.next = first;
            first = rest;
        }
    }
}
