package bank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccountTest {
    private Account account;

    @BeforeEach
    void open() {
        account = new Account(10);
    }

    @Test
    void nobodyTakesTheSameMoneyTwice() throws InterruptedException {
        Thread other = new Thread(() -> account.withdraw(10));
        other.start();
        account.withdraw(10);
        other.join();
        assertTrue(account.balance() >= 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void noDepositIsLost(int amount) throws InterruptedException {
        Thread other = new Thread(() -> account.deposit(amount));
        other.start();
        account.deposit(amount);
        other.join();
        assertEquals(10 + 2 * amount, account.balance());
    }
}
