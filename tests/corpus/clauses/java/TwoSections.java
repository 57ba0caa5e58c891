// expect: fault
// Giving a monitor back ends a transaction: between two critical sections others see the middle.
class TwoSections {
    static final Object a = new Object(), b = new Object();
    static int x = 1, y = 0;
    static void move(int by) {
        synchronized (a) {
            x -= by;
        }
        synchronized (b) {
            y += by;
        }
    }
    public static void main(String[] args) throws Exception {
        // From here on it is known which lock guards what.
        Thread first = new Thread(() -> move(0));
        first.start();
        first.join();
        Thread mover = new Thread(() -> move(1));
        mover.start();
        int p, q;
        synchronized (a) {
            p = x;
        }
        synchronized (b) {
            q = y;
        }
        assert p + q == 1;
        mover.join();
    }
}
