// expect: race
// Who waits for the end of a thread that is about to be started has to get its monitor first.
class JoinedBeforeStart {
    static Thread made;
    static volatile boolean done;
    public static void main(String[] args) throws InterruptedException {
        Thread starter = new Thread(() -> {
            Thread thread = new Thread(() -> done = true);
            synchronized (thread) {
                made = thread;
                thread.start();
            }
        });
        starter.start();
        Thread found = made;
        if (found != null) {
            found.join();
            assert done;
        }
    }
}
