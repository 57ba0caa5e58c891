// expect: holds
// race: HalfLocked.value 10 write, 14 read
public class HalfLocked {
    static final Object LOCK = new Object();
    static int value;

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            synchronized (LOCK) {
                value = 1;
            }
        });
        other.start();
        assert value < 2;
    }
}
