// expect: holds
// Three locks taken by three threads, always in the order of their names.
public class LockOrderThreeMended {
    static final Object a = new Object(), b = new Object(), c = new Object();

    static Thread taking(Object first, Object second) {
        return new Thread(() -> {
            synchronized (first) {
                synchronized (second) {
                    assert first != second;
                }
            }
        });
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] all = { taking(a, b), taking(b, c), taking(a, c) };
        for (Thread each : all) each.start();
        for (Thread each : all) each.join();
    }
}
