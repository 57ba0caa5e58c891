package bank;

import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(RunWithTest.Special.class)
public class RunWithTest {
    public static class Special {}

    private final int number;

    public RunWithTest(int number) {
        this.number = number;
    }

    @Test
    public void isOne() {
        if (number != 1) {
            throw new IllegalStateException();
        }
    }
}
