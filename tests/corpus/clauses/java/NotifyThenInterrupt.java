// expect: fault, deadlock
// Between what a thread does under a monitor and its notification another one can interrupt who waits.
class NotifyThenInterrupt {
    static final Object m = new Object();
    static volatile int v;
    static boolean isWaiting;
    public static void main(String[] args) {
        Thread waiter = new Thread(() -> {
            synchronized (m) {
                isWaiting = true;
                try {
                    m.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException("interrupted " + v);
                }
            }
        });
        waiter.start();
        new Thread(() -> {
            synchronized (m) {
                if (isWaiting) {
                    v = 1;
                    m.notify();
                }
            }
        }).start();
        if (v == 1) waiter.interrupt();
    }
}
