package bank;

import static org.junit.Assert.assertEquals;

import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TestRule;
import org.junit.rules.Timeout;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

public class RuledTest {
    /** Makes something ready before each test, and takes an exception for the right end. */
    public static class Resource implements TestRule {
        String name;
        boolean forgives;

        @Override
        public Statement apply(Statement base, Description description) {
            return new Statement() {
                @Override
                public void evaluate() throws Throwable {
                    name = description.getMethodName();
                    try {
                        base.evaluate();
                    } catch (IllegalStateException thrown) {
                        if (!forgives) {
                            throw thrown;
                        }
                    }
                }
            };
        }
    }

    @Rule public Timeout timeout = new Timeout();
    @Rule public Resource resource = new Resource();

    @Before
    public void look() {
        if (resource.name == null) {
            throw new IllegalStateException();
        }
    }

    @Test
    public void isNamed() {
        assertEquals(7, resource.name.length());
    }

    @Test
    public void isForgiven() {
        resource.forgives = true;
        throw new IllegalStateException();
    }

    @Test(timeout = 100)
    public void isNot() {
        throw new IllegalStateException();
    }
}
