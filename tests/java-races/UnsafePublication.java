// expect: holds
// race: UnsafePublication.shared 12 write, 15 read
public class UnsafePublication {
    static class Point {
        int x = 1;
    }

    static Point shared;

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            shared = new Point();
        });
        other.start();
        Point found = shared;
        assert found == null || found.x == 1;
    }
}
