// expect: assertion
// The flag is set before the data that it announces.
public class FlagBeforeData {
    static int data;
    static volatile boolean isReady;

    public static void main(String[] args) {
        new Thread(() -> {
            isReady = true;
            data = 1;
        }).start();
        if (isReady) {
            assert data == 1; // <- assertion
        }
    }
}
