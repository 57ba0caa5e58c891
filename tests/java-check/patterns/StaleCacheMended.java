// expect: holds
// A value is read and written in one critical section.
public class StaleCacheMended {
    static int total;

    static void add(int amount) {
        synchronized (StaleCacheMended.class) {
            int cached = total;
            total = cached + amount;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> add(2));
        other.start();
        add(3);
        other.join();
        assert total == 5 : total;
    }
}
