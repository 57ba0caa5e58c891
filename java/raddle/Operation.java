package raddle;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An operation of a data structure: {@code raddle linearize} has threads call it at the same time.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Operation {
    /**
     * What each parameter may be, as for {@code --operation}: {@code "1..3"}, {@code "1 | 5"}, or a
     * Java expression. Without it, a parameter gets two values of its type.
     */
    String[] values() default {};
}
