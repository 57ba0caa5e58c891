// expect: unknown
// The same for paths.
import java.nio.file.Path;

public class WherePaths {
    public static void main(String[] args) {
        assert Path.of("a.txt").toAbsolutePath().startsWith("/home");
    }
}
