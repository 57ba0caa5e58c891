// expect: holds
public class FinalPublication {
    static final class Point {
        final int x;
        int y;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }
    }

    static volatile Point shared;

    public static void main(String[] args) {
        Thread other = new Thread(() -> shared = new Point(1, 2));
        other.start();
        Point found = shared;
        assert found == null || found.x + found.y == 3;
    }
}
