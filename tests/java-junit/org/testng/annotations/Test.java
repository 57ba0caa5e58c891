package org.testng.annotations;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

@Retention(RetentionPolicy.RUNTIME)
public @interface Test {
    Class<?>[] expectedExceptions() default {};

    String dataProvider() default "";

    String[] dependsOnMethods() default {};

    boolean enabled() default true;
}
