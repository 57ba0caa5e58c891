package bank;

import static org.junit.Assert.assertEquals;

import org.junit.After;
import org.junit.AfterClass;
import org.junit.AssumptionViolatedException;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Ignore;
import org.junit.Test;

public class AccountTest extends WithAccount {
    static int prepared;
    private int before;

    @BeforeClass
    public static void prepare() {
        prepared++;
    }

    @Before
    public void look() {
        assertEquals(1, prepared);
        before = account.balance();
    }

    @Test
    public void depositsGetLost() throws InterruptedException {
        together(() -> account.deposit(1), () -> account.deposit(2));
        assertEquals(before + 3, account.balance());
    }

    @Test
    public void safeDepositsDoNot() throws InterruptedException {
        together(() -> account.depositSafely(1), () -> account.depositSafely(2));
        assertEquals(before + 3, account.balance());
    }

    @Test(expected = IllegalArgumentException.class)
    public void nothingNegative() {
        account.depositSafely(-1);
    }

    @Test(expected = AssertionError.class)
    public void whatIsExpectedHasToCome() {
        account.depositSafely(1);
    }

    @Test
    public void waitsForItself() throws InterruptedException {
        synchronized (account) {
            together(() -> account.depositSafely(1), () -> { });
        }
    }

    @Test
    public void doesNotCount() {
        throw new AssumptionViolatedException();
    }

    @Test
    public void asksForMore() {
        org.sosy_lab.sv_benchmarks.Verifier.nondetInt();
    }

    @Ignore
    @Test
    public void isIgnored() {
        throw new IllegalStateException();
    }

    public void isNoTest() {
        throw new IllegalStateException();
    }

    @After
    public void isTidy() {
        if (account.balance() < 10) {
            throw new IllegalStateException();
        }
    }

    @AfterClass
    public static void forget() {
        prepared = 0;
    }
}
