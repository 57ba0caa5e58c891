// expect: assertion
// Nothing is made up of what is absolute already.
import java.io.File;

public class WhereAbsolute {
    public static void main(String[] args) {
        assert new File("/tmp/a.txt").getAbsolutePath().startsWith("/home"); // <- assertion
    }
}
