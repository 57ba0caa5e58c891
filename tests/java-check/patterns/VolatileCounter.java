// expect: assertion
// `volatile` does not make an addition atomic.
public class VolatileCounter {
    static volatile int count;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> count++);
        other.start();
        count++;
        other.join();
        assert count == 2 : count; // <- assertion
    }
}
