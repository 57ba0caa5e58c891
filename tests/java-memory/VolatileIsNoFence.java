// expect: assertion
// model: java
/** A volatile write does not hold up the plain one behind it. */
public class VolatileIsNoFence {
    static int x, y, a, b, c;
    static volatile int between;

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> { x = 1; between = 1; y = 1; });
        Thread reader = new Thread(() -> { a = y; b = between; c = x; });
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        assert !(a == 1 && b == 0 && c == 0) : "y was seen before x";
    }
}
