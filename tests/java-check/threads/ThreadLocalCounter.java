// expect: holds
// Each thread has its own value of a ThreadLocal.
public class ThreadLocalCounter {
    static final ThreadLocal<Integer> count = ThreadLocal.withInitial(() -> 0);

    static void add() {
        count.set(count.get() + 1);
        assert count.get() == 1;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(ThreadLocalCounter::add);
        other.start();
        add();
        other.join();
        count.remove();
    }
}
