package bank;

import org.testng.Assert;
import org.testng.SkipException;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

public class NgTest {
    private int balance;
    private int first;

    @BeforeMethod
    public void open() {
        balance = 0;
    }

    private void add(int amount) {
        balance += amount;
    }

    private synchronized void addSafely(int amount) {
        balance += amount;
    }

    private static void both(Runnable one, Runnable other) throws InterruptedException {
        Thread thread = new Thread(one);
        thread.start();
        other.run();
        thread.join();
    }

    @Test
    public void lost() throws Exception {
        both(() -> add(1), () -> add(2));
        Assert.assertEquals(balance, 3);
    }

    @Test
    public void safe() throws Exception {
        both(() -> addSafely(1), () -> addSafely(2));
        Assert.assertEquals(balance, 3);
    }

    @DataProvider
    public Object[][] amounts() {
        return new Object[][] {{0}, {5}};
    }

    /** Adding nothing is never lost. */
    @Test(dataProvider = "amounts")
    public void rows(int amount) throws Exception {
        both(() -> add(amount), () -> add(amount));
        Assert.assertEquals(balance, 2 * amount);
    }

    @Test(expectedExceptions = IllegalStateException.class)
    public void thrown() throws Exception {
        first = 7;
        both(() -> addSafely(1), () -> addSafely(2));
        throw new IllegalStateException();
    }

    /** Is right about what the test before it has left. */
    @Test(dependsOnMethods = "thrown")
    public void later() throws Exception {
        Assert.assertEquals(first, 7);
        lost();
    }

    @Test
    public void assumes() throws Exception {
        both(() -> add(1), () -> add(2));
        if (balance != 3) {
            throw new SkipException("lost");
        }
        Assert.assertEquals(balance, 3);
    }

    @Test(timeOut = 1000)
    public void hangs() throws Exception {
        synchronized (this) {
            wait();
        }
    }

    @Test(enabled = false)
    public void disabled() {
        Assert.fail();
    }
}
