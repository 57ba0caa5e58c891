package org.junit.rules;

import org.junit.runner.Description;
import org.junit.runners.model.Statement;

public class Timeout implements TestRule {
    public Statement apply(Statement base, Description description) {
        throw new IllegalStateException("a time limit is not for a checker");
    }
}
