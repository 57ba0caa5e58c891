// expect: unknown
// The files of the system are those of the machine, too, if it is the program that asks for them.
import java.nio.file.Files;
import java.nio.file.Path;

class FileOfTheSystem {
    public static void main(String[] args) {
        assert Files.exists(Path.of("/etc/hostname")) : "there is no such file here";
    }
}
