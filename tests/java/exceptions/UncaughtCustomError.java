//@ exit: 1
/** An error of our own with a message of several lines and a deep cause. */
public class UncaughtCustomError {
    static class Fatal extends Error { Fatal(String m, Throwable c) { super(m, c); } @Override public String toString() { return "Fatal!" + getMessage(); } }
    static void level(int n) {
        try {
            if (n == 0) throw new IllegalStateException("root\nsecond line");
            level(n - 1);
        } catch (RuntimeException e) {
            if (n == 2) throw new Fatal("at two", e);
            throw new RuntimeException(e);
        }
    }
    public static void main(String[] args) {
        System.out.println("start");
        level(3);
    }
}
