package bank;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

// The same with a static field; that each test has an object of its own is as usual.
@TestMethodOrder(Object.class)
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
class OrderedTest {
    private static int uses;

    @Test
    void first() {
        uses++;
    }

    @Test
    void second() {
        assert uses == 1;
    }
}
