// expect: holds
// A hook that was removed does not run, and none can be added at the end.
public class HookRemoved {
    public static void main(String[] args) {
        Runtime runtime = Runtime.getRuntime();
        Thread removed = new Thread(() -> {
            throw new IllegalStateException();
        });
        runtime.addShutdownHook(removed);
        runtime.removeShutdownHook(removed);
        runtime.addShutdownHook(new Thread(() -> {
            try {
                runtime.addShutdownHook(new Thread());
                throw new AssertionError();
            } catch (IllegalStateException expected) {
            }
        }));
    }
}
