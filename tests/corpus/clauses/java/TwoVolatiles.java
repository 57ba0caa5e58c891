// expect: fault
// A transaction has one operation that others notice, not two.
class TwoVolatiles {
    static final Object m = new Object();
    static volatile int v, w;
    public static void main(String[] args) {
        new Thread(() -> {
            synchronized (m) {
                v = 1;
                w = 1;
            }
        }).start();
        int q = w, p = v;
        assert p == q || p > q;
        assert !(v == 1 && w == 0);
    }
}
