// expect: unknown
// Files have no times of their own: that one is not later than the other is made up.
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

class WrittenLater {
    public static void main(String[] args) throws IOException, InterruptedException {
        Path first = Files.createTempFile("abc", "d");
        Thread.sleep(2000);
        Path second = Files.createTempFile("abc", "d");
        BasicFileAttributes later = Files.readAttributes(second, BasicFileAttributes.class);
        assert later.lastModifiedTime().compareTo(Files.getLastModifiedTime(first)) > 0;
    }
}
