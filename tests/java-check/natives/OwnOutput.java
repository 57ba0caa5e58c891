// expect: assertion
// A stream that is set as System.out can be reached by all threads.
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

public class OwnOutput {
    static class Counting extends PrintStream {
        int lines;

        Counting() {
            super(new ByteArrayOutputStream());
        }

        @Override
        public void println(String line) {
            lines++;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Counting counting = new Counting();
        System.setOut(counting);
        Thread other = new Thread(() -> System.out.println("a"));
        other.start();
        System.out.println("b");
        other.join();
        assert counting.lines == 2; // <- assertion
    }
}
