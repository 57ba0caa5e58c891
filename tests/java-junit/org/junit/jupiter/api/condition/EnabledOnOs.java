package org.junit.jupiter.api.condition;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

@Retention(RetentionPolicy.RUNTIME)
public @interface EnabledOnOs {
    String[] value();
}
