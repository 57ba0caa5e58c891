// expect: holds
// An uncaught exception goes to the handler of its thread.
public class HandlerCalled {
    static volatile String seen;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            throw new IllegalStateException("x");
        });
        other.setUncaughtExceptionHandler((thread, e) -> seen = e.getMessage());
        other.start();
        other.join();
        assert "x".equals(seen);
    }
}
