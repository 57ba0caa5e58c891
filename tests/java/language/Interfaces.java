/** Default, private and static interface methods; diamonds and the most specific one. */
public class Interfaces {
    interface Named {
        String PREFIX = "n:";
        default String name() { return PREFIX + helper(); }
        private String helper() { return "named"; }
        static String of(Named n) { return "[" + n.name() + "]"; }
    }
    interface Loud extends Named {
        @Override default String name() { return Named.super.name().toUpperCase(); }
    }
    interface Quiet extends Named { }
    interface Hash { default int code() { return 17; } int hashCode(); boolean equals(Object o); }
    static class Both implements Loud, Quiet { }
    static class Chooser implements Quiet, Loud {
        public String name() { return "chosen " + Loud.super.name(); }
    }
    static class Base { public String name() { return "class wins"; } }
    static class FromClass extends Base implements Loud { }
    static abstract class Partial implements Named { abstract int size(); }
    static class Whole extends Partial {
        int size() { return 3; }
        public String name() { return super.name() + size(); }
    }
    interface A { default String hi() { return "A"; } }
    interface B { default String hi() { return "B"; } }
    static class AB implements A, B { public String hi() { return A.super.hi() + B.super.hi(); } }
    interface Generic<T> { T get(); default T twice() { get(); return get(); } }
    interface Covariant extends Generic<Integer> { Integer get(); }
    enum Op implements Named, java.util.function.IntBinaryOperator {
        ADD { public int applyAsInt(int a, int b) { return a + b; } },
        MUL { public int applyAsInt(int a, int b) { return a * b; } public String helperless() { return ""; } };
        public String helperless() { return name().toLowerCase(); }
    }
    static int counter;

    public static void main(String[] args) {
        System.out.println(new Both().name() + " " + Named.of(new Both()));
        System.out.println(new Chooser().name());
        System.out.println(new FromClass().name() + " " + ((Named) new FromClass()).name());
        System.out.println(new Whole().name() + " " + new AB().hi());
        Covariant c = () -> ++counter;
        Generic<Integer> g = c;
        System.out.println(c.twice() + g.twice() + " " + counter);
        for (Op op : Op.values()) System.out.println(op.name() + op.applyAsInt(3, 4) + op.helperless() + Named.of(op));
        Named anonymous = new Named() { public String toString() { return "anon " + Named.super.name(); } };
        System.out.println(anonymous);
        Hash h = new Hash() { };
        System.out.println(h.code() + " " + h.equals(h) + " " + (h.hashCode() == h.hashCode()));
        Object o = new Both();
        System.out.println((o instanceof Loud) + " " + (o instanceof Hash) + " " + Loud.PREFIX);
        Runnable[] rs = {() -> counter += 10, new Runnable() { public void run() { counter *= 2; } }};
        for (Runnable r : rs) r.run();
        System.out.println(counter);
    }
}
