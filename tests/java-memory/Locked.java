// expect: holds
// model: java
/** What is guarded by a lock is never old, whatever else is. */
public class Locked {
    static int count;
    static boolean stop;

    static synchronized void count() {
        count++;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            count();
            stop = true;
            count();
        });
        other.start();
        boolean seen = stop;
        count();
        other.join();
        assert count == 3 : "lost";
    }
}
