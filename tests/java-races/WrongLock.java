// expect: holds
// race: WrongLock.value 12 write, 17 write
public class WrongLock {
    private final Object left = new Object();
    private final Object right = new Object();
    private int value;

    public static void main(String[] args) {
        WrongLock it = new WrongLock();
        Thread other = new Thread(() -> {
            synchronized (it.left) {
                it.value = 1;
            }
        });
        other.start();
        synchronized (it.right) {
            it.value = 2;
        }
    }
}
