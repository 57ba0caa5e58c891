// expect: assertion
// System.exit runs the shutdown hooks while the other threads go on.
public class HookAtExit {
    static volatile int count;

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            int before = count;
            assert before == count; // <- assertion
        }));
        new Thread(() -> count = 1).start();
        System.exit(0);
    }
}
