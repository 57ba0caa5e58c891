/** Default values of fields and arrays, shadowing, and order of evaluation. */
public class InitialValues {
    boolean z; byte b; short s; char c; int i; long l; float f; double d; String o;
    static boolean sz; static char sc; static double sd; static Object so;
    int late = early() + 1;
    int before = 5;
    int early() { return before; }
    static StringBuilder log = new StringBuilder();
    static int note(String t, int n) { log.append(t); return n; }
    static int[] array(String t) { log.append(t); return new int[] {1, 2, 3}; }
    static int fail(String t) { log.append(t); throw new IllegalStateException(t); }

    static class Base {
        String name = "base";
        Base() { show(); }
        void show() { System.out.println("base " + name); }
        static String st() { return "Base.st"; }
    }
    static class Derived extends Base {
        String name = "derived";
        final int constant = 7;
        final Integer boxed = 8;
        Derived() { super(); show(); }
        @Override void show() { System.out.println("derived " + name + " " + super.name + " " + ((Base) this).name + " " + constant + " " + boxed); }
        static String st() { return "Derived.st"; }
    }

    public static void main(String[] args) {
        InitialValues v = new InitialValues();
        System.out.println(v.z + " " + v.b + " " + v.s + " " + (int) v.c + " " + v.i + " " + v.l + " " + v.f + " " + v.d + " " + v.o + " " + sz + (int) sc + sd + so);
        System.out.println(v.late + " " + v.before);
        System.out.println(new boolean[1][0].length + " " + new boolean[1][1][0][0].length + " " + (int) new char[1][0] .length + new float[2][1].length + new long[3][0].length + " " + new String[1][0].length);
        Base x = new Derived();
        System.out.println(x.name + " " + ((Derived) x).name + " " + Base.st() + " " + Derived.st());
        int r = note("a", 1) + note("b", 2) * note("c", 3) - (note("d", 4) << note("e", 1));
        System.out.println(r + " " + log);
        log.setLength(0);
        array("x")[note("y", 1)] = note("z", 9);
        System.out.println(log);
        log.setLength(0);
        try { array("x")[note("y", 5)] = fail("z"); } catch (RuntimeException e) { System.out.println(log + " " + e.getMessage()); }
        log.setLength(0);
        try { array("x")[note("y", 5)] += fail("z"); } catch (RuntimeException e) { System.out.println(log + " " + e.getClass().getSimpleName()); }
        log.setLength(0);
        int[] none = null;
        try { none[note("i", 0)] = note("v", 1); } catch (NullPointerException e) { System.out.println(log + " null"); }
        log.setLength(0);
        try { v = null; v.i = note("w", 1); } catch (NullPointerException e) { System.out.println(log + " null"); }
        log.setLength(0);
        try { int q = note("p", 1) / (note("q", 0) * note("r", 1)); } catch (ArithmeticException e) { System.out.println(log + e.getMessage()); }
        int k = 1;
        k = k + (k = 5) * k;
        int[] a = {0, 0, 0};
        int p = 0;
        a[p++] = a[p] + p++;
        a[p] = p = 1;
        System.out.println(k + " " + a[0] + a[1] + a[2] + " " + p);
    }
}
