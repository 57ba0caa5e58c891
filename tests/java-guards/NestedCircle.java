// expect: deadlock
/** Three locks in a circle, taken from new objects. */
public class NestedCircle {
    static int value;

    public static void main(String[] args) {
        Object[] locks = {new Object(), new Object(), new Object()};
        for (int i = 0; i < 3; i++) {
            Object first = locks[i];
            Object second = locks[(i + 1) % 3];
            new Thread(() -> {
                synchronized (first) {
                    synchronized (second) {
                        value++;
                    }
                }
            }).start();
        }
    }
}
