// expect: deadlock
// Shutdown hooks run at the same time, and can wait for each other.
public class HooksDeadlock {
    static final Object first = new Object();
    static final Object second = new Object();

    static void both(Object outer, Object inner) {
        synchronized (outer) {
            synchronized (inner) { // <- deadlock
            }
        }
    }

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> both(first, second)));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> both(second, first)));
    }
}
