// expect: assertion
// What the program writes itself is there, and nothing is made up.
import java.io.FileWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class FileOfTheProgram {
    public static void main(String[] args) throws IOException {
        try (FileWriter writer = new FileWriter("settings.txt")) {
            writer.write("on");
        }
        assert Files.readString(Path.of("settings.txt")).equals("off"); // <- assertion
    }
}
