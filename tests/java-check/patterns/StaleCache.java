// expect: assertion
// A value is computed from what was read before the lock was taken.
public class StaleCache {
    static int total;

    static void add(int amount) {
        int cached = total;
        synchronized (StaleCache.class) {
            total = cached + amount;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> add(2));
        other.start();
        add(3);
        other.join();
        assert total == 5 : total; // <- assertion
    }
}
