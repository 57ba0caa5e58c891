/** The messages that say what was null. */
public class NullMessages {
    int i; long l; String s; int[] a; NullMessages next; int[][] grid = new int[1][]; Object[] objects;
    static NullMessages st; static int[] sa; static String text; static Integer box;
    NullMessages get() { return null; }
    static NullMessages make() { return new NullMessages(); }
    void call() { }
    interface Body { void run() throws Throwable; }
    static void attempt(Body b) { try { b.run(); System.out.println("no exception"); } catch (Throwable t) { System.out.println(t.getClass().getSimpleName() + ": " + t.getMessage()); } }
    static int index() { return 0; }

    public static void main(String[] args) {
        attempt(() -> st.i = 1);
        attempt(() -> System.out.println(st.l));
        attempt(() -> make().next.call());
        attempt(() -> make().get().call());
        attempt(() -> System.out.println(text.length()));
        attempt(() -> System.out.println(sa[3]));
        attempt(() -> sa[index()] = 3);
        attempt(() -> System.out.println(sa.length));
        attempt(() -> make().a[2]++);
        attempt(() -> System.out.println(make().grid[0][1]));
        attempt(() -> make().grid[index()][index()] = 2);
        attempt(() -> make().objects[1] = "x");
        attempt(() -> System.out.println(make().next.next.next));
        attempt(() -> { int n = box; });
        attempt(() -> { synchronized (st) { } });
        attempt(() -> { throw (RuntimeException) (Object) st; });
        attempt(() -> st.get().a[0] = 1);
        attempt(() -> make().s.trim().length());
        attempt(() -> { long[] ls = null; ls = (long[]) (Object) st; System.out.println(st.next.a[st.i]); });
        attempt(() -> { byte[][] bs = new byte[2][]; System.out.println((new byte[2][])[index()][0]); });
        attempt(() -> { boolean[] zs[] = {null}; System.out.println(new boolean[][] {null}[0][1]); });
        attempt(() -> { throw new NullPointerException(); });
        attempt(() -> { throw new NullPointerException("own"); });
        attempt(() -> java.util.Objects.requireNonNull(null));
        attempt(() -> java.util.Objects.requireNonNull(null, "named"));
        attempt(() -> java.util.Objects.requireNonNull(null, () -> "supplied"));
    }
}
