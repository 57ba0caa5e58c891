// expect: assertion
// A daemon may not have come to its end when the shutdown hooks run.
public class HookAndDaemon {
    static volatile boolean isSaved;

    public static void main(String[] args) {
        Thread saver = new Thread(() -> isSaved = true);
        saver.setDaemon(true);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            assert isSaved; // <- assertion
        }));
        saver.start();
    }
}
