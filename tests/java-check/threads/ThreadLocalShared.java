// expect: assertion
// The value of a ThreadLocal is an object that both threads share.
public class ThreadLocalShared {
    static final int[] shared = new int[1];
    static final ThreadLocal<int[]> count = ThreadLocal.withInitial(() -> shared);

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> count.get()[0]++);
        other.start();
        count.get()[0]++;
        other.join();
        assert shared[0] == 2; // <- assertion
    }
}
