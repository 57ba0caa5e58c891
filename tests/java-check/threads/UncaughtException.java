// expect: exception
// A thread reads a field before it is set.
public class UncaughtException {
    static String text;

    public static void main(String[] args) throws InterruptedException {
        Thread reader = new Thread(() -> {
            int length = text.length(); // <- exception
        });
        reader.start();
        text = "ready";
        reader.join();
    }
}
