package bank;

import static org.junit.Assert.assertEquals;

import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

/** All public methods are tests. */
@Test
public class NgTest {
    private int count;

    @BeforeMethod
    public void prepare() {
        count++;
    }

    public void isPrepared() {
        assertEquals(1, count);
    }

    void isNoTest() {
        throw new IllegalStateException();
    }

    @Test(expectedExceptions = {IllegalStateException.class, IllegalArgumentException.class})
    public void isExpected() {
        throw new IllegalArgumentException();
    }

    @Test(dataProvider = "numbers")
    public void isGiven(int number) {
        throw new IllegalStateException();
    }

    @Test(dependsOnMethods = "isPrepared")
    public void isSecond() {
        throw new IllegalStateException();
    }

    @Test(enabled = false)
    public void isOff() {
        throw new IllegalStateException();
    }
}
