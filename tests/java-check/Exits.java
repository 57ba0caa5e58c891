// expect: assertion
public class Exits {
    static volatile boolean isDone;

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            assert !isDone;
        });
        other.start();
        isDone = true;
        System.exit(0);
    }
}
