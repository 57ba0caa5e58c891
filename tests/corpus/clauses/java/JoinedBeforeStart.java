// expect: deadlock, race
// Nobody waits for the end of a thread that was not started, nor while it is being started.
class JoinedBeforeStart {
    static Thread waiting;
    public static void main(String[] args) throws InterruptedException {
        Thread starter = new Thread(() -> {
            Object never = new Object();
            Thread made = new Thread(() -> {
                synchronized (never) {
                    try {
                        never.wait();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            });
            made.setDaemon(true);
            waiting = made;
            made.start();
        });
        starter.start();
        Thread found = waiting;
        if (found != null) found.join();
    }
}
