// expect: exception
public class UncaughtException {
    static String text;

    public static void main(String[] args) throws InterruptedException {
        Thread reader = new Thread(() -> {
            int length = text.length();
        });
        reader.start();
        text = "ready";
        reader.join();
    }
}
