/** Exceptions in static initialisers, and what later uses of the class give. */
public class Failures {
    static class Bad { static int v = compute(); static int compute() { throw new IllegalStateException("broken"); } static void m() { } static final int K = 4; }
    static class Child extends Bad { static { System.out.println("never"); } static int w = 1; }
    static class Err { static { if (true) throw new StackOverflowError("own error"); } static int x; }
    static class Checked { static int v; static { try { if (v == 0) throw new java.io.IOException("io"); } catch (java.io.IOException e) { throw new java.io.UncheckedIOException(e); } } }
    static class Half { static int a = 1; static Half self = new Half(); static int b = 1 / zero(); static int zero() { return 0; } int peek() { return a + b; } }
    interface Body { void run() throws Throwable; }
    static void attempt(String n, Body b) { try { b.run(); System.out.println(n + " fine"); } catch (Throwable t) { System.out.println(n + " " + t.getClass().getName() + ": " + t.getMessage() + " / " + (t.getCause() == null ? null : t.getCause().getClass().getName())); } }
    static Half leaked;
    public static void main(String[] args) {
        attempt("constant", () -> System.out.println(Bad.K));
        attempt("first", () -> System.out.println(Bad.v));
        attempt("second", Bad::m);
        attempt("third", () -> new Bad());
        attempt("child", () -> System.out.println(Child.w));
        attempt("array", () -> System.out.println(new Bad[1].length + Bad.class.getSimpleName()));
        attempt("error", () -> Err.x = 1);
        attempt("error again", () -> Err.x = 1);
        attempt("checked", () -> Checked.v++);
        attempt("half", () -> leaked = Half.self);
        attempt("half again", () -> System.out.println(Half.a));
        attempt("forName", () -> Class.forName("Failures$Bad"));
        attempt("instance", () -> { Object o = null; System.out.println(o instanceof Bad); });
    }
}
