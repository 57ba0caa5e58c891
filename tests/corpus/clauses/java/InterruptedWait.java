// expect: fault
// An interrupt before the wait ends it at once, and one that comes later too.
class InterruptedWait {
    static final Object m = new Object();
    static volatile int v;
    public static void main(String[] args) {
        Thread waiter = new Thread(() -> {
            synchronized (m) {
                v = 1;
                try {
                    m.wait(9);
                    throw new IllegalStateException("time " + v);
                } catch (InterruptedException e) {
                    throw new IllegalStateException("interrupt " + v);
                }
            }
        });
        waiter.start();
        if (v == 1) v = 2;
        waiter.interrupt();
    }
}
