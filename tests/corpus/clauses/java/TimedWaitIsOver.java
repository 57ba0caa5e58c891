// expect: fault
// A wait with a time limit ends before a notification, or by it: then it is another one's loss.
class TimedWaitIsOver {
    static final Object m = new Object();
    static int woken;
    static void await(long limit) {
        synchronized (m) {
            try {
                m.wait(limit);
            } catch (InterruptedException e) {
                return;
            }
            woken++;
        }
    }
    public static void main(String[] args) throws Exception {
        Thread patient = new Thread(() -> await(0)), hasty = new Thread(() -> await(5));
        patient.setDaemon(true);
        patient.start();
        hasty.start();
        synchronized (m) {
            m.notify();
        }
        hasty.join();
        synchronized (m) {
            throw new IllegalStateException(String.valueOf(woken));
        }
    }
}
