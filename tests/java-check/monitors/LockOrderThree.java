// expect: deadlock
// Three locks taken in a circle by three threads.
public class LockOrderThree {
    static final Object a = new Object(), b = new Object(), c = new Object();

    static Thread taking(Object first, Object second) {
        return new Thread(() -> {
            synchronized (first) {
                synchronized (second) { // <- deadlock
                    assert first != second;
                }
            }
        });
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] all = { taking(a, b), taking(b, c), taking(c, a) };
        for (Thread each : all) each.start();
        for (Thread each : all) each.join(); // <- deadlock
    }
}
