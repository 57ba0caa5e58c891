// expect: unknown
// There is no memory for such a file.
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;

class GrowsTooMuch {
    public static void main(String[] args) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(Files.createTempFile("abc", "d").toFile(), "rw")) {
            file.setLength(1L << 40);
        }
    }
}
