//@ exit: 1
/** A default handler for uncaught exceptions, in main and in another thread. */
public class DefaultHandler {
    public static void main(String[] args) throws Exception {
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> System.out.println(t.getName() + ": " + e));
        Thread t = new Thread(() -> { throw new IllegalStateException("worker"); }, "w");
        t.start(); t.join();
        throw new Exception("main");
    }
}
