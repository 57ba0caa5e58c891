/** equals, hashCode, clone, instanceof, casts and dynamic dispatch on a small hierarchy. */
public class Equality implements Cloneable {
    int[] data = {1, 2, 3};
    String name;
    Equality(String name) { this.name = name; }
    @Override public boolean equals(Object o) { return o instanceof Equality && ((Equality) o).name.equals(name); }
    @Override public int hashCode() { return name.hashCode() * 31 + data.length; }
    @Override public Equality clone() throws CloneNotSupportedException { return (Equality) super.clone(); }
    static class Sub extends Equality {
        long extra = 1L << 50;
        Sub(String n) { super(n); }
        @Override public boolean equals(Object o) { return o instanceof Sub s && s.extra == extra && super.equals(o); }
        String only() { return "sub"; }
    }
    static class NoClone { Object tryClone() throws CloneNotSupportedException { return super.clone(); } }
    static String dispatch(Equality o) { return "objects"; }
    static String dispatch(Sub o) { return "sub"; }
    static String dispatch(Object o) { return "object"; }
    String who() { return "objects"; }
    String call() { return who(); }
    static class Other extends Equality { Other() { super("other"); } String who() { return "other" + super.who(); } }
    private String hidden() { return "private base"; }
    String callHidden() { return hidden(); }
    static class Hider extends Equality { Hider() { super("h"); } String hidden() { return "not an override"; } }

    public static void main(String[] args) throws Exception {
        Equality a = new Equality("a"), b = a.clone();
        b.data[0] = 99;
        b.name = "b";
        System.out.println(a.data[0] + a.name + " " + (a.data == b.data) + " " + a.equals(b) + " " + (a.hashCode() == new Equality("a").hashCode()));
        Sub s = new Sub("a");
        System.out.println(a.equals(s) + " " + s.equals(a) + " " + s.equals(s.clone()) + " " + s.clone().getClass().getName() + " " + ((Sub) s.clone()).extra);
        try {
            new NoClone().tryClone();
        } catch (CloneNotSupportedException e) {
            System.out.println(e.getMessage());
        }
        Equality o = s;
        System.out.println(dispatch(o) + " " + dispatch(s) + " " + dispatch((Object) s) + " " + ((Sub) o).only());
        System.out.println(new Other().call() + " " + ((Equality) new Other()).who() + " " + new Hider().callHidden());
        Object n = null;
        System.out.println((n instanceof String) + " " + ((String) n) + " " + (a instanceof Sub) + " " + (s instanceof Equality));
        try {
            Sub bad = (Sub) a;
        } catch (ClassCastException e) {
            System.out.println(e.getMessage().startsWith("class Equality cannot be cast to class Equality$Sub"));
        }
        int[] x = {1, 2}, y = x.clone();
        y[0] = 5;
        System.out.println(x[0] + " " + y[0] + " " + x.equals(y) + " " + x.equals(x) + " " + java.util.Arrays.equals(x, new int[] {1, 2}));
        System.out.println(java.util.Objects.hash(1, "a", null) + " " + java.util.Objects.equals(null, null) + " " + java.util.Objects.toString(null, "dflt") + " " + java.util.Objects.requireNonNullElse(null, 4));
        Object lock = new Object();
        System.out.println(lock.equals(lock) + " " + lock.equals(new Object()) + " " + (lock.hashCode() == System.identityHashCode(lock)) + " " + lock.toString().startsWith("java.lang.Object@"));
        System.out.println(a.getClass() == b.getClass() ? "same class" : "");
    }
}
