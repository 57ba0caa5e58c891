package bank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(JupiterTest.Opening.class)
class JupiterTest {
    /** What is open is so because of an extension. */
    static class Opening implements BeforeEachCallback {
        @Override
        public void beforeEach(ExtensionContext context) {
            isOpen = true;
        }
    }

    static boolean isOpen;
    Account account;

    @BeforeEach
    void setUp() {
        account = new Account(10);
    }

    @Test
    void extended() {
        assertTrue(isOpen);
    }

    @Test
    void lost() throws InterruptedException {
        account.depositTwice(1);
        assertEquals(12, account.balance());
    }

    @Test
    void safe(TestInfo info) throws InterruptedException {
        account.depositTwiceSafely(1);
        assertEquals(12, account.balance(), info.getDisplayName());
    }

    @Test
    void stores(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("balance");
        Files.writeString(file, "10");
        assertEquals("10", Files.readString(file));
    }

    @Test
    @Timeout(1)
    void hangs() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    @Test
    void assumes() {
        assumeTrue(account.balance() > 10);
        throw new IllegalStateException();
    }

    @Test
    @Disabled("not yet")
    void disabled() {
        throw new IllegalStateException();
    }

    @Test
    @EnabledIfSystemProperty(named = "bank.elsewhere", matches = "yes")
    void elsewhere() {
        throw new IllegalStateException();
    }

    static IntStream amounts() {
        return IntStream.of(0, 1);
    }

    @ParameterizedTest
    @MethodSource("amounts")
    void given(int amount) throws InterruptedException {
        account.depositTwice(amount);
        assertEquals(10 + 2 * amount, account.balance());
    }

    @RepeatedTest(3)
    void repeated() {
        assertEquals(10, account.balance());
    }

    @TestFactory
    Stream<DynamicTest> dynamic() {
        return Stream.of(10, 11).map(expected -> DynamicTest.dynamicTest(
                "has " + expected, () -> assertEquals(expected, account.balance())));
    }

    @Nested
    class Inner {
        @Test
        void nested() throws InterruptedException {
            account.depositTwice(2);
            assertEquals(14, account.balance());
        }
    }
}
