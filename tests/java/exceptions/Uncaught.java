//@ exit: 1
/** An exception with a cause and a suppressed one that nobody catches. */
public class Uncaught {
    static class Failure extends Exception {
        Failure(String message, Throwable cause) { super(message, cause); }
    }

    static void inner(int n) {
        if (n == 0) throw new IllegalArgumentException("too small");
        inner(n - 1);
    }

    static void outer() throws Failure {
        try {
            inner(2);
        } catch (IllegalArgumentException e) {
            Failure f = new Failure("outer failed", e);
            f.addSuppressed(new IllegalStateException("meanwhile"));
            throw f;
        }
    }

    public static void main(String[] args) throws Failure {
        System.out.println("before");
        try {
            outer();
        } finally {
            System.out.println("finally runs");
        }
        System.out.println("not reached");
    }
}
