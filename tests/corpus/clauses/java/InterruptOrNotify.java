// expect: fault
// A thread that waits can be interrupted or notified, whichever comes first.
class InterruptOrNotify {
    static final Object m = new Object();
    static boolean isWaiting;
    static String end = "";
    static void await() {
        synchronized (m) {
            isWaiting = true;
            try {
                m.wait();
                end = "notified";
            } catch (InterruptedException e) {
                end = "interrupted";
            }
        }
    }
    public static void main(String[] args) throws Exception {
        Thread waiter = new Thread(InterruptOrNotify::await);
        Thread other = new Thread(() -> {
            synchronized (m) {
                if (isWaiting) m.notify();
            }
        });
        waiter.start();
        other.start();
        waiter.interrupt();
        waiter.join();
        throw new IllegalStateException(end);
    }
}
