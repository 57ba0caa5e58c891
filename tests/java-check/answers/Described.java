// expect: holds
// What a class file says of a class is known: annotations of types, names of parameters.
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;

public class Described {
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @interface Positive {
        int least() default 1;
    }

    private static @Positive(least = 4) Integer number = 4;

    static @Positive Integer next(int value) {
        return value + 1;
    }

    public static void main(String[] args) throws ReflectiveOperationException {
        var type = Described.class.getDeclaredField("number").getAnnotatedType();
        assert type.getAnnotation(Positive.class).least() == 4;
        Method next = Described.class.getDeclaredMethod("next", int.class);
        assert next.getAnnotatedReturnType().getAnnotation(Positive.class).least() == 1;
        assert next.getParameters()[0].getType() == int.class;
        assert next.invoke(null, 3).equals(number);
        assert !Described.class.getModule().isNamed();
        assert String.class.getMethod("length").invoke("abc").equals(3);
    }
}
