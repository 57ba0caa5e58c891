import java.lang.reflect.*;
import java.util.Arrays;
import java.util.Comparator;

/** Fields, methods and constructors found and used by reflection. */
public class Members {
    public int pub = 1; private long secret = 2L; protected static double ratio = 0.5; final String fin = "f"; volatile byte[] bytes = {1};
    public Members() { } private Members(int x, String... s) { pub = x + s.length; }
    public int add(int a, int b) { return a + b + pub; } private static String hide(Object o, long l) { return o + ":" + l; } void fail() throws java.io.IOException { throw new java.io.IOException("inside"); } protected final synchronized <T extends Number> T gen(T t, char... cs) { return t; }
    static class Base { String who() { return "base"; } } static class Derived extends Base { @Override String who() { return "derived"; } }

    public static void main(String[] args) throws Exception {
        Class<?> c = Members.class;
        Field[] fs = c.getDeclaredFields();
        Arrays.sort(fs, Comparator.comparing(Field::getName));
        for (Field f : fs) System.out.println(f + " | " + f.getType().getSimpleName() + " | " + Modifier.toString(f.getModifiers()));
        Method[] ms = c.getDeclaredMethods();
        Arrays.sort(ms, Comparator.comparing(Method::getName));
        for (Method m : ms) if (!m.isSynthetic()) System.out.println(m + " | " + m.toGenericString() + " | " + m.getParameterCount() + m.isVarArgs() + m.isSynthetic());
        Constructor<?>[] cs = c.getDeclaredConstructors();
        Arrays.sort(cs, Comparator.comparing(Constructor::getParameterCount));
        System.out.println(Arrays.toString(cs));
        Members o = (Members) cs[1].newInstance(40, new String[] {"a", "b"});
        Field secret = c.getDeclaredField("secret");
        secret.setLong(o, 99);
        c.getField("pub").set(o, 41);
        c.getDeclaredField("ratio").set(null, 1.25);
        System.out.println(secret.get(o) + " " + secret.getLong(o) + " " + o.secret + " " + o.pub + " " + ratio + " " + c.getDeclaredField("fin").get(o) + ((byte[]) c.getDeclaredField("bytes").get(o)).length);
        System.out.println(c.getMethod("add", int.class, int.class).invoke(o, 1, 2) + " " + c.getDeclaredMethod("hide", Object.class, long.class).invoke(null, "x", 5) + " " + c.getDeclaredMethod("gen", Number.class, char[].class).invoke(o, 3.5, new char[0]));
        System.out.println(Base.class.getDeclaredMethod("who").invoke(new Derived()) + " " + String.class.getMethod("length").invoke("four") + " " + Integer.class.getMethod("parseInt", String.class).invoke(null, "12"));
        try { c.getDeclaredMethod("fail").invoke(o); } catch (InvocationTargetException e) { System.out.println("target " + e.getCause()); }
        try { c.getMethod("add", int.class, int.class).invoke(o, 1); } catch (IllegalArgumentException e) { System.out.println("arguments"); }
        try { c.getMethod("add", int.class, int.class).invoke(o, 1, "x"); } catch (IllegalArgumentException e) { System.out.println("types"); }
        try { c.getMethod("nope"); } catch (NoSuchMethodException e) { System.out.println(e.getMessage()); }
        try { c.getField("secret"); } catch (NoSuchFieldException e) { System.out.println(e.getMessage()); }
        try { c.getDeclaredField("fin").set(o, "x"); } catch (IllegalAccessException e) { System.out.println("final"); }
        try { c.getField("pub").set(o, "x"); } catch (IllegalArgumentException e) { System.out.println("wrong type"); }
        try { Number.class.getDeclaredConstructor().newInstance(); } catch (InstantiationException e) { System.out.println("abstract"); }
        System.out.println(c.getDeclaredConstructor().newInstance() != null);
        Object arr = Array.newInstance(int.class, 3);
        Array.setInt(arr, 1, 7);
        Array.set(arr, 2, 8);
        System.out.println(Arrays.toString((int[]) arr) + Array.getLength(arr) + Array.get(arr, 1) + ((Object[]) Array.newInstance(String.class, 2, 3)).length + Array.newInstance(String.class, 2, 3).getClass().getSimpleName());
    }
}
