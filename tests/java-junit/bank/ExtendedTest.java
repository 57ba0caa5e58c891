package bank;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is ready is so because of an extension. */
@ExtendWith(ExtendedTest.Extension.class)
class ExtendedTest {
    static class Extension {}

    static boolean isReady;

    @Test
    void needsIt() {
        if (!isReady) {
            throw new IllegalStateException();
        }
    }

    @Test
    void needsItNot() {}
}
