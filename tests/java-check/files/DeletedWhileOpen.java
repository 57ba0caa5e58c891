// expect: holds
// Who has a file open when it is deleted goes on with it, and does not see another one of its name.
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

class DeletedWhileOpen {
    public static void main(String[] args) throws IOException {
        Path path = Files.createTempFile("abc", "d");
        Files.writeString(path, "old");
        try (InputStream old = Files.newInputStream(path);
                RandomAccessFile written = new RandomAccessFile(path.toFile(), "rw")) {
            Files.delete(path);
            Files.writeString(path, "new");
            assert old.read() == 'o';
            written.seek(1);
            written.write('O');
            assert old.read() == 'O';
            assert written.length() == 3;
        }
        assert Files.readString(path).equals("new");
    }
}
