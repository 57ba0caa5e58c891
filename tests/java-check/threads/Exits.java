// expect: assertion
// System.exit does not stop others at once.
public class Exits {
    static volatile boolean isDone;

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            assert !isDone; // <- assertion
        });
        other.start();
        isDone = true;
        System.exit(0);
    }
}
