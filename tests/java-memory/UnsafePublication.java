// expect: assertion
// model: java
/** An object is handed over by a race. */
public class UnsafePublication {
    static class Point {
        int x;

        Point(int x) {
            this.x = x;
        }
    }

    static Point point;

    public static void main(String[] args) {
        new Thread(() -> point = new Point(1)).start();
        Point seen = point;
        assert seen == null || seen.x == 1 : "the constructor is not seen";
    }
}
