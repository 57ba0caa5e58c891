import java.util.List;
import java.util.Map;

/** What Class says of itself: names, kinds, modifiers, hierarchy. */
public class ClassNames {
    static class Nested { } class Inner { } interface I { } enum E { A { }, B } record R(int x) { } @interface Ann { } static abstract sealed class S permits T { } static final class T extends S implements I, Cloneable { }
    static void show(Class<?> c) {
        System.out.println(c.getName() + " | " + c.getSimpleName() + " | " + c.getTypeName() + " | " + c.getCanonicalName() + " | " + c + " | " + c.isArray() + c.isPrimitive() + c.isInterface() + c.isEnum() + c.isRecord() + c.isAnnotation() + c.isAnonymousClass() + c.isLocalClass() + c.isMemberClass() + c.isSealed() + " | " + java.lang.reflect.Modifier.toString(c.getModifiers()) + " | " + (c.getSuperclass() == null ? null : c.getSuperclass().getSimpleName()) + " | " + List.of(c.getInterfaces()) + " | " + c.getPackageName() + " | " + c.getComponentType() + " | " + (c.getEnclosingClass() == null ? "" : c.getEnclosingClass().getName()));
    }
    public static void main(String[] args) throws Exception {
        class Local { }
        Object anon = new Object() { };
        for (Class<?> c : new Class<?>[] {int.class, void.class, boolean[].class, long[][].class, String.class, String[].class, Nested.class, Inner.class, I.class, E.class, E.A.getClass(), R.class, Ann.class, S.class, T.class, Local.class, anon.getClass(), Map.Entry.class, Integer.class, Nested[][].class, Runnable.class}) show(c);
        System.out.println(Class.forName("java.util.ArrayList").getSimpleName() + " " + Class.forName("[I") + " " + Class.forName("[[Ljava.lang.String;").getSimpleName() + " " + Class.forName("ClassNames$Nested") + " " + (Class.forName("java.lang.String") == String.class));
        for (String bad : new String[] {"int", "Nope", "java/lang/String", "[X"}) try { Class.forName(bad); } catch (ClassNotFoundException e) { System.out.println(e.getMessage()); }
        System.out.println(Number.class.isAssignableFrom(Integer.class) + " " + Object[].class.isAssignableFrom(String[].class) + " " + Object[].class.isAssignableFrom(int[].class) + " " + long.class.isAssignableFrom(int.class) + " " + I.class.isInstance(new T()) + int.class.isInstance(1) + " " + Integer.TYPE + Void.TYPE + " " + int[].class.getSuperclass() + I.class.getSuperclass());
        System.out.println(String.class.cast("x") + " " + Integer.class.desiredAssertionStatus() + " " + E.class.getEnumConstants().length + " " + Nested.class.getNestHost().getSimpleName() + " " + int.class.arrayType() + " " + String.class.descriptorString() + E.A.getDeclaringClass());
        try { Integer.class.cast("x"); } catch (ClassCastException e) { System.out.println(e.getMessage()); }
        System.out.println(String.class.getModule().getName() + " " + ClassNames.class.getModule().isNamed() + " " + (String.class.getClassLoader() == null) + " " + ClassNames.class.getPackageName().isEmpty());
    }
}
