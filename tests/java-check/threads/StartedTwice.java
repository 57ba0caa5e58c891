// expect: exception
// A thread cannot be started twice.
public class StartedTwice {
    public static void main(String[] args) {
        Thread other = new Thread(() -> { });
        other.start();
        other.start(); // <- exception
    }
}
