// expect: unknown
// Twenty thousand calls are too many here; a JVM with a larger stack makes them.
public class DeepCalls {
    private static int depth(int left) {
        return left == 0 ? 0 : 1 + depth(left - 1);
    }

    public static void main(String[] args) {
        assert depth(20_000) == 20_000;
    }
}
