/** What finally does to returns, throws, breaks and values. */
public class FinallyOrder {
    static StringBuilder log = new StringBuilder();
    @SuppressWarnings("finally")
    static int override() { try { return 1; } finally { return 2; } }
    static int unchanged() { int x = 1; try { return x; } finally { x = 2; log.append("x").append(x); } }
    static long wide() { long x = 1L << 40; try { return x++ + x; } finally { x = 0; } }
    @SuppressWarnings("finally")
    static String swallow() { try { throw new RuntimeException("lost"); } finally { return "kept"; } }
    @SuppressWarnings("finally")
    static int replace() throws Exception { try { throw new Exception("first"); } catch (Exception e) { throw new Exception("second", e); } finally { throw new Exception("third"); } }
    @SuppressWarnings("finally")
    static int loop() { int n = 0; while (true) { try { n++; if (n < 5) continue; return n; } finally { if (n == 5) break; n++; } } return -n; }
    static int nested(int n) {
        try {
            try {
                if (n == 0) throw new IllegalStateException();
                if (n == 1) return 10;
                log.append("b");
            } catch (IllegalArgumentException e) {
                log.append("wrong");
            } finally {
                log.append("f");
                if (n == 2) throw new ArithmeticException();
            }
            log.append("n");
        } catch (ArithmeticException | IllegalStateException e) {
            log.append(e.getClass().getSimpleName());
            try { if (n == 0) throw e; } catch (RuntimeException again) { log.append("again"); return 30; } finally { log.append("g"); }
            return 20;
        } finally {
            log.append("F");
        }
        return 0;
    }
    static int depth(int n) { try { return n == 0 ? Integer.parseInt("x") : depth(n - 1); } finally { log.append(n); } }

    public static void main(String[] args) {
        System.out.println(override() + " " + unchanged() + " " + wide() + " " + swallow() + " " + loop() + " " + log);
        try { replace(); } catch (Exception e) { System.out.println(e.getMessage() + " " + e.getCause() + " " + e.getSuppressed().length); }
        for (int n = 0; n < 4; n++) { log.setLength(0); System.out.println(nested(n) + " " + log); }
        log.setLength(0);
        try { depth(9); } catch (NumberFormatException e) { System.out.println(log + " " + e.getMessage()); }
        int i = 0;
        try { i = 1; i = 2 / (i - 1); i = 3; } catch (ArithmeticException e) { i += 10; } finally { i *= 2; }
        System.out.println(i);
        try { try { throw new Error("inner"); } finally { System.out.println("passing"); } } catch (Error e) { System.out.println(e); }
        synchronized (log) { try { synchronized (log) { throw new RuntimeException("in lock"); } } catch (RuntimeException e) { System.out.println(e.getMessage() + Thread.holdsLock(log)); } }
        System.out.println(Thread.holdsLock(log));
    }
}
