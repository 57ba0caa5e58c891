// any: violated 2
// Lamport's bakery with an array of numbers, without waiting for those who choose.
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

public class BakeryHasty {
    static final AtomicIntegerArray numbers = new AtomicIntegerArray(2);
    static final AtomicInteger inside = new AtomicInteger();

    static void serve(int me) {
        int most = 0;
        for (int i = 0; i < numbers.length(); i++) most = Math.max(most, numbers.get(i));
        numbers.set(me, most + 1);
        for (int i = 0; i < numbers.length(); i++) {
            if (i == me) continue;
            while (true) {
                int theirs = numbers.get(i), mine = numbers.get(me);
                if (theirs == 0 || theirs > mine || theirs == mine && me < i) break;
            }
        }
        assert inside.incrementAndGet() == 1;
        inside.decrementAndGet();
        numbers.set(me, 0);
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            int me = i;
            new Thread(() -> serve(me), "customer").start();
        }
    }
}
