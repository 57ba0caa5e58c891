// expect: holds
// System.exit ends the program, with threads that wait.
public class ExitWins {
    public static void main(String[] args) {
        Object lock = new Object();
        new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }).start();
        System.exit(3);
    }
}
