// expect: holds
/** The inner lock was taken first by chance; the outer one is the guard. */
public class InnerAndOuter {
    static final Object OUTER = new Object();
    static final Object INNER = new Object();
    static int value;

    static void both() {
        synchronized (OUTER) {
            synchronized (INNER) {
                value++;
            }
        }
    }

    static void one() {
        synchronized (OUTER) {
            value++;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(InnerAndOuter::both);
        Thread b = new Thread(InnerAndOuter::one);
        a.start();
        b.start();
        a.join();
        b.join();
        assert value == 2;
    }
}
