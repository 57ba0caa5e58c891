// expect: unknown
// Whether there is a file depends on the machine; here is none but those that the program writes.
import java.io.File;
import java.io.FileReader;
import java.io.IOException;

class FileOfTheHost {
    public static void main(String[] args) throws IOException {
        new FileReader(new File("settings.txt")).close();
    }
}
