// expect: deadlock
// Two locks that are the same small Integer, and one that is not.
public class BoxedLock {
    static final Integer one = 5, two = 6;

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            synchronized (Integer.valueOf(6)) {
                synchronized (Integer.valueOf(5)) { // <- deadlock
                    assert one == 5;
                }
            }
        });
        other.start();
        synchronized (one) {
            synchronized (two) { // <- deadlock
                assert two == 6;
            }
        }
    }
}
