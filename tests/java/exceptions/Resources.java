import java.util.ArrayList;
import java.util.List;

/** try-with-resources: the order of closing, suppressed exceptions, null resources. */
public class Resources {
    static List<String> log = new ArrayList<>();
    static class R implements AutoCloseable {
        final String name; final boolean fails;
        R(String name, boolean fails) { if (name.equals("broken")) throw new IllegalStateException("open " + name); this.name = name; this.fails = fails; log.add("open " + name); }
        @Override public void close() throws Exception { log.add("close " + name); if (fails) throw new Exception("close " + name); }
    }
    interface Body { void run() throws Exception; }
    static void attempt(Body body) {
        log.clear();
        try {
            body.run();
        } catch (Exception e) {
            log.add("caught " + e.getMessage());
            for (Throwable s : e.getSuppressed()) { log.add("suppressed " + s.getMessage()); for (Throwable t : s.getSuppressed()) log.add("  " + t.getMessage()); }
        }
        System.out.println(log);
    }
    static int value() throws Exception { try (R r = new R("v", false)) { return log.size(); } finally { log.add("finally"); } }

    public static void main(String[] args) throws Exception {
        attempt(() -> { try (R a = new R("a", false); R b = new R("b", false)) { log.add("body"); } });
        attempt(() -> { try (R a = new R("a", true); R b = new R("b", true)) { log.add("body"); } });
        attempt(() -> { try (R a = new R("a", true); R b = new R("b", true)) { throw new Exception("body"); } });
        attempt(() -> { try (R a = new R("a", true); R b = new R("broken", true)) { log.add("body"); } });
        attempt(() -> { try (R a = null; R b = new R("b", false)) { log.add("null is skipped " + (a == null)); } });
        attempt(() -> { try (R a = new R("a", true)) { throw new Exception("body"); } catch (Exception e) { log.add("inner " + e.getMessage() + e.getSuppressed().length); } finally { log.add("finally"); } });
        attempt(() -> { R outside = new R("outside", true); try (outside) { log.add("in"); } finally { log.add("fin"); } });
        attempt(() -> { for (int i = 0; i < 3; i++) { try (R r = new R("loop" + i, i == 2)) { if (i == 0) continue; if (i == 1) log.add("one"); } } });
        log.clear();
        System.out.println(value() + " " + log);
        attempt(() -> {
            Exception e = new Exception("main");
            e.addSuppressed(new RuntimeException("s1"));
            e.addSuppressed(new RuntimeException("s2"));
            throw e;
        });
        try { Exception e = new Exception("self"); e.addSuppressed(e); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        try { new Exception().addSuppressed(null); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
    }
}
