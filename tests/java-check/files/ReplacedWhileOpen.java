// expect: holds
// A file that takes the place of another one is not the one that somebody has open, and keeps its readers.
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

class ReplacedWhileOpen {
    public static void main(String[] args) throws IOException {
        Path from = Files.createTempFile("abc", "d");
        Path to = from.resolveSibling("replaced");
        Files.writeString(from, "from");
        Files.writeString(to, "to");
        try (InputStream first = Files.newInputStream(from); InputStream second = Files.newInputStream(to)) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
            assert first.read() == 'f';
            assert second.read() == 't';
        }
        assert !Files.exists(from);
        assert Files.readString(to).equals("from");
    }
}
