/** Catch clauses choose by the run-time class, in order, with generic and checked throws. */
public class CustomHierarchy {
    static class A extends Exception { A(String m) { super(m); } @Override public String getMessage() { return "A:" + super.getMessage(); } }
    static class B extends A { B(String m) { super(m); } @Override public String toString() { return "B!" + getLocalizedMessage(); } }
    static class C extends RuntimeException { C(Throwable cause) { super(cause); } }
    static class D extends Error { }
    @SuppressWarnings("unchecked")
    static <T extends Throwable> void sneaky(Throwable t) throws T { throw (T) t; }
    static <X extends Exception> void maybe(boolean b, X x) throws X { if (b) throw x; }

    static String classify(int n) {
        try {
            switch (n) {
                case 0: throw new A("zero");
                case 1: throw new B("one");
                case 2: throw new C(new B("two"));
                case 3: throw new D();
                case 4: sneaky(new java.io.IOException("four"));
                case 5: maybe(false, new A("never")); maybe(true, new B("five"));
                case 6: Object o = n; return (String) o;
                case 7: throw null;
                default: return "fine";
            }
        } catch (B e) {
            return "B " + e;
        } catch (A e) {
            return "A " + e;
        } catch (C | ClassCastException e) {
            return "C or cast " + (e.getCause() != null ? e.getMessage() : "no cause");
        } catch (RuntimeException e) {
            return "runtime " + e.getClass().getName();
        } catch (Exception e) {
            return "checked " + e;
        } catch (Throwable t) {
            return "throwable " + t;
        }
    }

    public static void main(String[] args) {
        for (int n = 0; n < 9; n++) System.out.println(classify(n));
        Exception e = new Exception();
        System.out.println(e + " " + e.getMessage() + " " + e.getCause() + " " + new Exception((String) null) + " " + new Exception((Throwable) null) + " " + new Exception("m", null));
        e.initCause(new A("late"));
        System.out.println(e.getCause());
        try { e.initCause(new A("twice")); } catch (IllegalStateException x) { System.out.println(x.getMessage() + " / " + x.getCause().getClass().getSimpleName()); }
        try { Throwable t = new A("x"); t.initCause(t); } catch (IllegalArgumentException x) { System.out.println(x.getMessage()); }
        try { assert args.length > 5 : "off by default"; System.out.println("asserts are off"); } catch (AssertionError x) { System.out.println(x); }
        System.out.println(new AssertionError(3.5) + " " + new AssertionError('c') + " " + new AssertionError(new A("cause")).getCause());
        java.io.StringWriter w = new java.io.StringWriter();
        C chained = new C(new B("root"));
        chained.setStackTrace(new StackTraceElement[0]);
        chained.getCause().setStackTrace(new StackTraceElement[0]);
        chained.printStackTrace(new java.io.PrintWriter(w));
        System.out.print(w);
    }
}
