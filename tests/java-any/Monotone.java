// any: violated 2
// The prototype's step `x = x + 1` is two steps in Java.
public class Monotone {
    static volatile int x;

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                while (true) {
                    int old = x;
                    x = x + 1;
                    assert x >= old + 1;
                }
            }).start();
        }
    }
}
