package bank;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class ManyOldTest {
    private final int amount;

    public ManyOldTest(int amount) {
        this.amount = amount;
    }

    @Parameterized.Parameters
    public static List<Object[]> amounts() {
        return Arrays.asList(new Object[][] {{0}, {1}});
    }

    @Test
    public void lost() throws InterruptedException {
        Account account = new Account(0);
        account.depositTwice(amount);
        assertEquals(2 * amount, account.balance());
    }
}
