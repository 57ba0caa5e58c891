// expect: holds
// An interrupt ends a wait, whether it comes before or after.
public class Interrupted {
    static boolean wasInterrupted;

    public static void main(String[] args) throws InterruptedException {
        Thread sleeper = new Thread(() -> {
            try {
                synchronized (Interrupted.class) {
                    Interrupted.class.wait();
                }
            } catch (InterruptedException e) {
                wasInterrupted = true;
            }
        });
        sleeper.start();
        sleeper.interrupt();
        sleeper.join();
        assert wasInterrupted;
    }
}
