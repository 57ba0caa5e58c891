//@ exit: 9
/** halt ends at once: no hooks, no finally. */
public class Halt {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("never")));
        try {
            System.out.println("halting");
            Runtime.getRuntime().halt(9);
        } finally {
            System.out.println("never");
        }
    }
}
