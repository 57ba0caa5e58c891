import java.lang.annotation.*;
import java.util.Arrays;
import java.util.Comparator;

/** Annotations at run time: members, defaults, arrays, repeats, inheritance, equality. */
public class Annotations {
    enum Level { LOW, HIGH }
    @Retention(RetentionPolicy.RUNTIME) @Inherited @interface Info { String name() default "none"; int[] sizes() default {1, 2}; Level level() default Level.LOW; Class<?> type() default Object.class; Tag tag() default @Tag("dflt"); long big() default 1L << 40; char c() default 'x'; }
    @Retention(RetentionPolicy.RUNTIME) @Repeatable(Tags.class) @interface Tag { String value(); }
    @Retention(RetentionPolicy.RUNTIME) @interface Tags { Tag[] value(); }
    @Retention(RetentionPolicy.SOURCE) @interface Gone { }
    @Retention(RetentionPolicy.RUNTIME) @Target({ElementType.METHOD, ElementType.FIELD, ElementType.PARAMETER}) @interface Test { int order() default 0; Class<? extends Throwable> expected() default Error.class; }
    @Info(name = "base", sizes = {}, level = Level.HIGH, tag = @Tag("own")) @Gone static class Base { }
    static class Derived extends Base { }
    @Tag("a") @Tag("b") static class Two { @Deprecated @Test int f; void p(@Test(order = 9) int x, String y) { } }
    @Test(order = 2) public void second() { System.out.println("second"); }
    @Test(order = 1) public void first() { System.out.println("first"); }
    @Test(order = 3, expected = IllegalStateException.class) public void third() { throw new IllegalStateException("third"); }
    public void notATest() { }

    public static void main(String[] args) throws Exception {
        Info i = Base.class.getAnnotation(Info.class), d = Derived.class.getAnnotation(Info.class);
        System.out.println(i.name() + " " + i.sizes().length + " " + i.level() + " " + i.type() + " " + i.tag().value() + " " + i.big() + i.c() + " " + i.annotationType().getSimpleName());
        System.out.println(i.equals(d) + " " + (i.hashCode() == d.hashCode()) + " " + Derived.class.getDeclaredAnnotations().length + " " + Base.class.getAnnotations().length + Base.class.isAnnotationPresent(Info.class));
        Tag[] tags = Two.class.getAnnotationsByType(Tag.class);
        System.out.println(tags.length + tags[1].value() + " " + Two.class.getAnnotation(Tag.class) + " " + Two.class.getAnnotation(Tags.class).value().length + " " + Two.class.getDeclaredField("f").getAnnotations().length + Two.class.getDeclaredField("f").isAnnotationPresent(Deprecated.class));
        System.out.println(((Test) Two.class.getDeclaredMethod("p", int.class, String.class).getParameterAnnotations()[0][0]).order());
        Arrays.stream(Annotations.class.getMethods()).filter(m -> m.isAnnotationPresent(Test.class)).sorted(Comparator.comparing(m -> m.getAnnotation(Test.class).order())).forEach(m -> {
            try { m.invoke(new Annotations()); } catch (ReflectiveOperationException e) { System.out.println(m.getAnnotation(Test.class).expected().isInstance(e.getCause()) ? "expected " + e.getCause().getMessage() : "unexpected"); }
        });
        int[] sizes = i.annotationType().getMethod("sizes").getDefaultValue() instanceof int[] a ? a : null;
        System.out.println(Arrays.toString(sizes) + " " + tags[0].toString().contains("\"a\"") + " " + tags[0].equals(tags[1]));
    }
}
