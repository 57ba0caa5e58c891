// expect: unknown
// In which folder the program runs is made up, and a relative name becomes a path with it.
import java.io.File;

public class WhereFiles {
    public static void main(String[] args) {
        assert new File("a.txt").getAbsolutePath().startsWith("/home");
    }
}
