// expect: assertion
// What the program itself has made or deleted does not depend on the machine.
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

class DeletedMeanwhile {
    public static void main(String[] args) throws IOException, InterruptedException {
        Path path = Files.createTempFile("abc", "d");
        Thread other = new Thread(() -> {
            try {
                Files.delete(path);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
        other.start();
        assert Files.exists(path); // <- assertion
        other.join();
    }
}
