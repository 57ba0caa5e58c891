// expect: holds
// race: an element of long[] 8 write, 12 read
public class ArrayElement {
    static final long[] SUMS = new long[2];

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            SUMS[1] = 5;
        });
        other.start();
        SUMS[0] = 4;
        long sum = SUMS[1];
        assert sum == 0 || sum == 5;
    }
}
