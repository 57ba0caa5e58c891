package bank;

import static org.junit.Assert.assertEquals;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that are more than a method with an annotation. */
class ManyTest implements WithLog {
    enum Colour {
        RED,
        GREEN
    }

    /** Stands for another annotation. */
    @Test
    @Retention(RetentionPolicy.RUNTIME)
    @interface Quick {}

    @BeforeEach
    @Retention(RetentionPolicy.RUNTIME)
    @interface First {}

    static final List<String> LOG = new ArrayList<>();
    Account account;

    @First
    void setUp() {
        account = new Account(10);
        LOG.add("outer");
    }

    @Override
    public List<String> log() {
        return LOG;
    }

    @Quick
    void composed() {
        assertEquals(10, account.balance());
        // The interface comes first.
        assertEquals(2, LOG.size());
        assertEquals(0, LOG.indexOf("interface"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void given(int amount) throws InterruptedException {
        Thread other = new Thread(() -> account.deposit(amount));
        other.start();
        account.deposit(amount);
        other.join();
        assertEquals(10 + 2 * amount, account.balance());
    }

    @ParameterizedTest
    @EnumSource(names = "GREEN")
    void coloured(Colour colour) {
        assertEquals(1, colour.ordinal());
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = "a\"b")
    void texts(String text) {
        assertEquals(3, text == null || text.isEmpty() ? 3 : text.length());
    }

    @ParameterizedTest
    @CsvSource({"1, one", "2, 'two, or more'"})
    void table(int number, String name) {
        assertEquals(number == 1 ? 3 : 12, name.length());
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void fromElsewhere(int number) {
        throw new IllegalStateException();
    }

    @RepeatedTest(3)
    void repeated() {
        assertEquals(10, account.balance());
    }

    @Test
    @Timeout(1)
    void timed() {}

    @Test
    @EnabledOnOs("MAC")
    void elsewhere() {
        throw new IllegalStateException();
    }

    @Test
    void informed(Object info) {
        throw new IllegalStateException();
    }

    @TestFactory
    List<Runnable> dynamic() {
        return List.of(() -> { throw new IllegalStateException(); });
    }

    @Test
    @Disabled
    void disabled() {
        throw new IllegalStateException();
    }

    @AfterEach
    void tearDown() {
        account = null;
    }

    @Nested
    class Inner {
        @BeforeEach
        void more() {
            account.deposit(5);
            LOG.add("inner");
        }

        @Test
        void nested() {
            assertEquals(15, account.balance());
            assertEquals(1, LOG.indexOf("outer"));
            assertEquals(2, LOG.indexOf("inner"));
        }

        @Nested
        class Innermost {
            @Test
            void nestedTwice() {
                assertEquals(16, account.balance());
            }
        }
    }
}
