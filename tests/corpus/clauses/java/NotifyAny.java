// expect: fault
// One of two waiting threads is notified: it need not be the one that has waited longer.
class NotifyAny {
    static final Object m = new Object();
    static int order, got;
    static void await(int before, int me) {
        synchronized (m) {
            if (order != before) return;
            order = me;
            try {
                m.wait();
            } catch (InterruptedException e) {
                return;
            }
            got = me;
        }
    }
    public static void main(String[] args) {
        Thread first = new Thread(() -> await(0, 1)), second = new Thread(() -> await(1, 2));
        first.setDaemon(true);
        second.setDaemon(true);
        first.start();
        second.start();
        synchronized (m) {
            if (order == 2) m.notify();
        }
        synchronized (m) {
            assert got != 2;
        }
    }
}
