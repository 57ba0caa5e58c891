// expect: holds
// An uncaught exception goes to the handler of all threads.
public class HandlerGeneral {
    static volatile String seen;

    public static void main(String[] args) throws InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> seen = e.getMessage());
        Thread other = new Thread(() -> {
            throw new IllegalStateException("x");
        });
        other.start();
        other.join();
        assert "x".equals(seen);
    }
}
