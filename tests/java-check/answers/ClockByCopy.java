// expect: unknown
// A time decides by way of copies.
public class ClockByCopy {
    public static void main(String[] args) throws Exception {
        long[] times = {System.nanoTime()};
        long[] copy = times.clone();
        long[] second = new long[3];
        System.arraycopy(copy, 0, second, 1, 1);
        if (second[1] < 0) {
            throw new IllegalStateException();
        }
    }
}
