// expect: assertion
// Two threads may write to a file in either order.
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;

public class FileOfTwo {
    static void write(FileOutputStream file, int letter) {
        try {
            file.write(letter);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        FileOutputStream file = new FileOutputStream("/tmp/letters");
        Thread other = new Thread(() -> write(file, 'a'));
        other.start();
        write(file, 'b');
        other.join();
        try (FileInputStream in = new FileInputStream("/tmp/letters")) {
            assert in.read() == 'b'; // <- assertion
        }
    }
}
