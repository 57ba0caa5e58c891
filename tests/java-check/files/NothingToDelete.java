// expect: unknown
// Whether there is something to delete depends on the machine.
import java.io.File;

class NothingToDelete {
    public static void main(String[] args) {
        assert new File("settings.txt").delete();
    }
}
