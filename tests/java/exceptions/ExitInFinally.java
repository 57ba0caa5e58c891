//@ exit: 3
/** System.exit ends the program at once: no finally block runs, hooks do. */
public class ExitInFinally {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        try {
            System.out.println("body");
            throw new IllegalStateException();
        } catch (IllegalStateException e) {
            System.out.println("catch");
            System.exit(3);
        } finally {
            System.out.println("never");
        }
        System.out.println("never");
    }
}
