// expect: holds
public class Handler {
    static volatile Throwable caught;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            throw new IllegalStateException();
        });
        other.setUncaughtExceptionHandler((thread, thrown) -> caught = thrown);
        other.start();
        other.join();
        assert caught instanceof IllegalStateException;
    }
}
