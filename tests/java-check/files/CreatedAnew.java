// expect: unknown
// Whether a file is a new one depends on the machine.
import java.io.File;
import java.io.IOException;

class CreatedAnew {
    public static void main(String[] args) throws IOException {
        assert !new File("settings.txt").createNewFile();
    }
}
