package org.junit;

public final class Assert {
    /** As the library of a test has its own. */
    public static final class ComparisonFailure extends AssertionError {
        ComparisonFailure(String message) {
            super(message);
        }
    }

    public static void assertEquals(long expected, long actual) {
        if (expected != actual) {
            throw new ComparisonFailure("expected " + expected + " but was " + actual);
        }
    }
}
