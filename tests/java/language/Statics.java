/** Static members: hiding, access through instances and null, interfaces' constants, imports. */
import static java.lang.Math.*;
import static java.util.Map.Entry.comparingByKey;

public class Statics {
    static String name = "outer"; static int n;
    static class Base { static String id = "base"; static String who() { return "base:" + id; } String call() { return who(); } }
    static class Sub extends Base { static String id = "sub"; static String who() { return "sub:" + id + Base.id; } String call() { return who() + super.call(); } }
    interface Consts { int A = 1, B = A + 1; String[] NAMES = {"x", "y"}; }
    static class Impl implements Consts { int sum() { return A + B + NAMES.length; } }
    static Statics nil() { n++; return null; }
    static int counter() { return ++n; }
    static final int[] TABLE = new int[5];
    static { for (int i = 0; i < TABLE.length; i++) TABLE[i] = i * i; }
    static final int SUM; static { int s = 0; for (int t : TABLE) s += t; SUM = s; }
    public static void main(String[] args) {
        System.out.println(Base.who() + " " + Sub.who() + " " + new Sub().call() + " " + ((Base) new Sub()).id + " " + ((Base) null).who());
        System.out.println(nil().name + n + " " + new Impl().sum() + Impl.A + Consts.NAMES[1]);
        String name = "local";
        System.out.println(name + Statics.name + max(3, 4) + abs(-5) + (int) floor(PI) + SUM);
        System.out.println(counter() + counter() * counter() + " " + n);
        Consts.NAMES[0] = "changed";
        System.out.println(Impl.NAMES[0] + " " + comparingByKey().getClass().isSynthetic());
        Base.id = "new";
        System.out.println(Sub.who() + " " + Base.who());
    }
}
