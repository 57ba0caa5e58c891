package bank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

// Each test finds what those before it have left.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OrderedTest {
    private final Account account = new Account(0);

    @Test
    @Order(2)
    void second() {
        assertEquals(1, account.balance());
    }

    @Test
    @Order(1)
    void first() {
        account.deposit(1);
    }

    @Test
    @Order(3)
    void third() throws InterruptedException {
        account.depositTwice(1);
        assertEquals(3, account.balance());
    }
}
