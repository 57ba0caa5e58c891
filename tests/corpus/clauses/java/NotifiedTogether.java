// expect: fault
// Waiting and notifying under a monitor, with nobody who stops waiting by himself.
class NotifiedTogether {
    static final Object m = new Object();
    static int waiting, woken;
    static void await() {
        synchronized (m) {
            waiting++;
            try {
                m.wait();
            } catch (InterruptedException e) {
                return;
            }
            woken = woken * 2 + waiting;
        }
    }
    public static void main(String[] args) throws Exception {
        Thread a = new Thread(NotifiedTogether::await), b = new Thread(NotifiedTogether::await);
        a.setDaemon(true);
        b.setDaemon(true);
        a.start();
        b.start();
        synchronized (m) {
            m.notifyAll();
            waiting = 5;
        }
        synchronized (m) {
            throw new IllegalStateException(waiting + " " + woken);
        }
    }
}
