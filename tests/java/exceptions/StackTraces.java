/** Line numbers and methods in stack traces, from constructors, lambdas and initialisers. */
public class StackTraces {
    static class Thrower {
        int f = fail("field");
        Thrower() { System.out.println("not reached"); }
    }
    static class Custom extends RuntimeException {
        final int code;
        Custom(int code) { super("code " + code); this.code = code; }
    }
    static class Quiet extends RuntimeException {
        Quiet() { super("quiet", null, false, false); }
    }
    static int fail(String s) {
        throw new Custom(
            s.length());
    }
    static void show(Throwable t) {
        for (StackTraceElement e : t.getStackTrace())
            if (e.getClassName().startsWith("StackTraces") && !e.getMethodName().contains("lambda"))
                System.out.println("  " + e);
    }
    static int deep(int n) {
        if (n == 0)
            return fail("deep");
        return deep(n - 1)
            + 1;
    }
    static void rethrow() {
        try {
            fail("x");
        } catch (Custom c) {
            throw c;
        }
    }
    static void wrap() {
        try {
            fail("y");
        } catch (Custom c) {
            throw new IllegalStateException("wrapped", c);
        }
    }
    interface Body { void run(); }
    static void attempt(Body b) {
        try { b.run(); } catch (RuntimeException e) {
            System.out.println(e);
            show(e);
            if (e.getCause() != null) show(e.getCause());
        }
    }
    int divide(int a,
               int b) {
        int c = 1;
        return c +
            a / b;
    }

    public static void main(String[] args) {
        attempt(Thrower::new);
        attempt(() -> deep(2));
        attempt(StackTraces::rethrow);
        attempt(StackTraces::wrap);
        attempt(() -> new StackTraces().divide(1, 0));
        attempt(() -> { throw new Quiet(); });
        StackTraceElement here = new Throwable().getStackTrace()[0];
        System.out.println(here.getMethodName() + " " + here.getLineNumber() + " " + here.getFileName() + " " + here.getClassName());
        Custom c = new Custom(3);
        c.setStackTrace(new StackTraceElement[] {new StackTraceElement("A", "b", "C.java", 5), new StackTraceElement("D", "e", null, -2)});
        System.out.println(java.util.Arrays.toString(c.getStackTrace()));
        Throwable t = new Throwable();
        System.out.println(t.getStackTrace().length + " " + Thread.currentThread().getStackTrace()[1].getMethodName());
        Custom old = new Custom(1);
        int first = old.getStackTrace()[0].getLineNumber();
        old.fillInStackTrace();
        System.out.println(old.getStackTrace()[0].getLineNumber() - first);
    }
}
