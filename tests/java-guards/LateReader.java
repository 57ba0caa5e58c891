// expect: assertion
/** A field looks as if it belonged to one thread until another one comes late. */
public class LateReader {
    static int value;
    static volatile boolean isReady;

    public static void main(String[] args) {
        new Thread(() -> {
            value = 1;
            value = 2;
            isReady = true;
            value = 3;
            value = 4;
        }).start();
        new Thread(() -> {
            if (isReady) {
                assert value != 3;
            }
        }).start();
    }
}
