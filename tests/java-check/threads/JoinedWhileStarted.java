// expect: deadlock
// A thread is joined just when it is being started: that is waiting for its end, which never comes.
class JoinedWhileStarted {
    static volatile Thread waiting;
    public static void main(String[] args) throws InterruptedException {
        Object never = new Object();
        Thread starter = new Thread(() -> {
            Thread made = new Thread(() -> {
                synchronized (never) {
                    try {
                        never.wait(); // <- deadlock
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
        if (found != null) found.join(); // <- deadlock
    }
}
