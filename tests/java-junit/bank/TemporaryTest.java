package bank;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryTest {
    @TempDir Path folder;

    @Test
    void uses() {
        folder.toString();
    }
}
