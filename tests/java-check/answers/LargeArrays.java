// expect: unknown
// There is no room for so much here; there is in a JVM with a larger heap.
public class LargeArrays {
    public static void main(String[] args) {
        long[] large = new long[150_000_000];
        assert large.length == 150_000_000;
    }
}
