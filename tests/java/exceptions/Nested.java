/** Exceptions thrown while others are handled; loops with retries; cleanup order. */
public class Nested {
    static int attempts; static StringBuilder log = new StringBuilder();
    static int flaky(int failures) throws Exception { if (attempts++ < failures) throw attempts % 2 == 0 ? new Exception("even " + attempts) : new RuntimeException("odd " + attempts); return attempts; }
    static int retry(int failures, int max) { attempts = 0; Throwable last = null; for (int i = 0; i < max; i++) try { return flaky(failures); } catch (RuntimeException e) { last = e; log.append('r'); } catch (Exception e) { log.append('e'); e.initCause(last); last = e; } finally { log.append('.'); } throw new IllegalStateException("gave up", last); }
    static void a() { try { b(); } catch (IllegalArgumentException e) { log.append("a:").append(e.getMessage()).append(' '); try { c(); } catch (UnsupportedOperationException f) { f.addSuppressed(e); throw f; } } }
    static void b() { try { throw new ArithmeticException("first"); } catch (ArithmeticException e) { throw new IllegalArgumentException("second", e); } finally { log.append("b "); } }
    static void c() { throw new UnsupportedOperationException("third"); }
    static int chain(Throwable t) { int n = 0; while (t != null) { n++; t = t.getCause(); } return n; }
    static Object lock = new Object();
    public static void main(String[] args) {
        System.out.println(retry(3, 10) + " " + log); log.setLength(0);
        try { retry(9, 4); } catch (IllegalStateException e) { System.out.println(e.getMessage() + " " + chain(e) + " " + e.getCause().getMessage() + " " + log); }
        log.setLength(0);
        try { a(); } catch (RuntimeException e) { System.out.println(e.getMessage() + " " + e.getSuppressed()[0].getCause().getMessage() + " " + log); }
        try { try { try { throw new Exception("1"); } finally { log.setLength(0); log.append("f1"); } } catch (Exception e) { throw new Exception("2", e); } finally { log.append("f2"); } } catch (Exception e) { System.out.println(e.getMessage() + e.getCause().getMessage() + log); }
        int i = 0;
        while (true) try { try { i++; if (i < 3) continue; if (i > 50) break; throw new Exception(); } finally { i += 10; } } catch (Exception e) { i -= 9; }
        System.out.println(i);
        try { synchronized (lock) { synchronized (args) { throw new Error(); } } } catch (Error e) { System.out.println(Thread.holdsLock(lock) + "" + Thread.holdsLock(args)); }
        try { Object o = "x"; Integer n = (Integer) o; } catch (ClassCastException | IllegalStateException e) { System.out.println("multi"); }
        for (int k = 0; k < 3; k++) try { Object[] os = new Integer[1]; if (k == 0) os[0] = "s"; if (k == 1) os[2] = 1; os = null; os[0] = 1; } catch (ArrayStoreException e) { System.out.print("store "); } catch (IndexOutOfBoundsException e) { System.out.print("index "); } catch (NullPointerException e) { System.out.println("null"); }
        try { throw new Exception() { @Override public String getMessage() { return "anonymous"; } @Override public synchronized Throwable fillInStackTrace() { return this; } }; } catch (Exception e) { System.out.println(e.getMessage() + e.getStackTrace().length); }
    }
}
