// expect: assertion
// What goes wrong before the first answer that is made up is a mistake of the program.
public class FailsBefore {
    private static volatile boolean isReady;

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> isReady = true);
        other.start();
        if (!isReady) {
            assert isReady; // <- assertion
        }
        String home = System.getenv("HOME");
        other.join();
        assert home != null;
    }
}
