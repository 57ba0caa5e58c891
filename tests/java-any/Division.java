// any: violated 2
// An exception that nobody catches.
public class Division {
    static volatile int divisor = 1;

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                while (true) {
                    int quotient = 100 / divisor;
                    divisor = 0;
                    divisor = quotient;
                }
            }).start();
        }
    }
}
