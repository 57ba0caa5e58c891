/** A class is initialised once although many threads ask for it; the others wait. */
public class LazyHolder {
    static int initialised;
    static class Holder { static final Holder ONE = new Holder(); int n; Holder() { initialised++; Thread.yield(); n = 7; } }
    static volatile LazyHolder instance; static int made;
    LazyHolder() { made++; }
    static LazyHolder get() { LazyHolder l = instance; if (l == null) synchronized (LazyHolder.class) { l = instance; if (l == null) instance = l = new LazyHolder(); } return l; }
    static class Bad { static int v = 1 / (initialised - initialised); }
    public static void main(String[] args) throws InterruptedException {
        int[] seen = new int[4]; String[] errors = new String[4]; Thread[] ts = new Thread[4];
        for (int i = 0; i < 4; i++) { int k = i; ts[i] = new Thread(() -> { seen[k] = Holder.ONE.n; get(); try { System.out.println(Bad.v); } catch (ExceptionInInitializerError e) { errors[k] = "init"; } catch (NoClassDefFoundError e) { errors[k] = "noclass"; } }); }
        for (Thread t : ts) t.start();
        for (Thread t : ts) t.join();
        java.util.Arrays.sort(errors);
        System.out.println(initialised + " " + java.util.Arrays.toString(seen) + " " + made + " " + java.util.Arrays.toString(errors));
    }
}
