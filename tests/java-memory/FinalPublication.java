// expect: holds
// model: java
/** The same, but its field is final. */
public class FinalPublication {
    static class Point {
        final int x;

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
