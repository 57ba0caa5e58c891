package bank;

import org.junit.Test;

/** Methods for which JUnit 4 refuses to run the class. */
public class OlderOddTest {
    @Test
    public static void isStatic() {}

    @Test
    void isNotPublic() {}

    @Test
    public int givesSomething() {
        return 1;
    }
}
