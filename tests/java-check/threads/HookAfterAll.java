// expect: holds
// Shutdown hooks run when all threads but daemons have ended, the main one too.
public class HookAfterAll {
    static int done;

    public static void main(String[] args) {
        Thread main = Thread.currentThread();
        Thread worker = new Thread(() -> done = 5);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                main.join();
                worker.join();
            } catch (InterruptedException impossible) {
                throw new AssertionError(impossible);
            }
            assert done == 5 && !main.isAlive();
        }));
        worker.start();
    }
}
