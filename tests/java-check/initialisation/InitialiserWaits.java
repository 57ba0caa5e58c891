// expect: deadlock
// A static initialiser waits for a thread that needs the class.
public class InitialiserWaits {
    static int value = 1;

    static {
        Thread other = new Thread(() -> value++); // <- deadlock
        other.start();
        try {
            other.join(); // <- deadlock
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) {
        assert value == 2;
    }
}
