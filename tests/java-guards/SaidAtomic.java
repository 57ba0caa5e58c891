// expect: holds
import raddle.Atomic;

/** Increments that are said to be single steps. They are not, and the verdict says what it trusts. */
public class SaidAtomic {
    @Atomic
    static class Counter {
        private int value;

        void increment() {
            value++;
        }

        int value() {
            return value;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Counter counter = new Counter();
        Thread other = new Thread(counter::increment);
        other.start();
        counter.increment();
        other.join();
        assert counter.value() == 2;
    }
}
