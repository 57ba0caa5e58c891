// expect: fault
// Who is interrupted and notified while it waits may return as if it had been notified only.
class InterruptedAndNotified {
    static final Object m = new Object();
    static boolean waits, thrown;
    public static void main(String[] args) throws InterruptedException {
        Thread waiter = new Thread(() -> {
            synchronized (m) {
                waits = true;
                m.notifyAll();
                try {
                    while (waits) {
                        m.wait();
                    }
                } catch (InterruptedException e) {
                    thrown = true;
                }
            }
        });
        synchronized (m) {
            waiter.start();
            while (!waits) {
                m.wait();
            }
            waits = false;
            waiter.interrupt();
            m.notify();
        }
        waiter.join();
        assert thrown;
    }
}
