package org.junit.jupiter.api;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

@Retention(RetentionPolicy.RUNTIME)
public @interface TestInstance {
    enum Lifecycle { PER_CLASS, PER_METHOD }

    Lifecycle value();
}
