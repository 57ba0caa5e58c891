/** A buffered log, as a web server had it: each writer puts its line behind the others. */
final class LogBuffer {
    private final char[] buffer = new char[4];
    private int length;

    void write(char line) {
        buffer[length] = line;
        length++;
    }

    public static void main(String[] arguments) throws InterruptedException {
        LogBuffer log = new LogBuffer();
        Thread other = new Thread(() -> log.write('b'), "other");
        other.start();
        log.write('a');
        other.join();
        assert log.length == 2 : "a line is missing";
    }
}
