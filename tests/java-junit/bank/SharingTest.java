package bank;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

// The second test finds what the first one has left.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharingTest {
    private int uses;

    @Test
    void first() {
        uses++;
    }

    @Test
    void second() {
        assert uses == 1;
    }
}
