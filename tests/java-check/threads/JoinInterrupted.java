// expect: exception
// Who waits for the end of a thread is interrupted while that still runs.
class JoinInterrupted {
    static final Object m = new Object();
    static boolean goes;
    public static void main(String[] args) {
        Thread main = Thread.currentThread();
        Thread other = new Thread(() -> {
            main.interrupt();
            synchronized (m) {
                while (!goes) {
                    try {
                        m.wait();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        });
        other.start();
        try {
            other.join();
        } catch (InterruptedException e) {
            synchronized (m) {
                goes = true;
                m.notify();
            }
            throw new IllegalStateException(e); // <- exception
        }
    }
}
