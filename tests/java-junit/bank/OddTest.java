package bank;

import org.junit.jupiter.api.Test;

/** Methods that JUnit 5 leaves out in spite of their annotation. */
class OddTest {
    @Test
    void isRun() {}

    @Test
    static void isStatic() {
        throw new IllegalStateException();
    }

    @Test
    private void isPrivate() {
        throw new IllegalStateException();
    }

    @Test
    int givesSomething() {
        throw new IllegalStateException();
    }
}
