package bank;

import static org.junit.Assert.assertEquals;

import java.util.concurrent.CountDownLatch;
import org.junit.Before;
import org.junit.Ignore;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.ExpectedException;
import org.junit.rules.TestName;
import org.junit.rules.Timeout;

public class OldTest {
    @Rule public Timeout timeout = Timeout.seconds(1);
    @Rule public ExpectedException thrown = ExpectedException.none();
    @Rule public TestName name = new TestName();
    private Account account;

    @Before
    public void setUp() {
        account = new Account(5);
    }

    @Test
    public void lost() throws InterruptedException {
        account.depositTwice(1);
        assertEquals(7, account.balance());
    }

    @Test
    public void safe() throws InterruptedException {
        account.depositTwiceSafely(1);
        assertEquals(7, account.balance());
    }

    @Test(expected = IllegalStateException.class)
    public void expected() {
        throw new IllegalStateException();
    }

    @Test
    public void ruled() {
        thrown.expect(RuntimeException.class);
        throw new RuntimeException();
    }

    @Test
    public void named() {
        assertEquals("named", name.getMethodName());
    }

    @Test
    public void hangs() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    @Ignore
    @Test
    public void ignored() {
        throw new IllegalStateException();
    }
}
