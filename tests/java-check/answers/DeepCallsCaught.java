// expect: unknown
// What the program does when the stack is used up may be what no JVM with a larger one does.
public class DeepCallsCaught {
    private static int depth(int left) {
        return left == 0 ? 0 : 1 + depth(left - 1);
    }

    public static void main(String[] args) {
        boolean isDeep = false;
        try {
            depth(20_000);
        } catch (StackOverflowError error) {
            isDeep = true;
        }
        assert !isDeep;
    }
}
