/** Classes whose initialisers need each other see default values. */
public class Cycles {
    static class A { static int x = B.y + 1; static int read() { return x; } static String s = "A" + B.s; }
    static class B { static int y = A.x + 10; static String s = "B" + A.s; }
    static class P { static final P INSTANCE = new P(); static int count = 5; int seen = count; static int bump() { return ++count; } }
    static class Base { static Base child = new Kid(); static int n = 1; int at = n; }
    static class Kid extends Base { static int k = 9; int mine = k + n; }
    static class T { int a = 1, b = a + c(), d = 4; int c() { return d * 10; } }
    static class Order { final StringBuilder log = new StringBuilder(); { log.append(1); } int x = add(2); { add(3); } Order() { add(4); } Order(int y) { this(); add(y); } int add(int n) { log.append(n); return n; } int z = add(5); }
    interface Defaults { int V = Impl.w + 1; default int v() { return V; } }
    static class Impl implements Defaults { static int w = 20; static int got = V; }
    public static void main(String[] args) {
        System.out.println(A.x + " " + B.y + " " + A.s + " " + B.s + " " + A.read());
        System.out.println(P.INSTANCE.seen + " " + P.count + " " + P.bump());
        System.out.println(new Kid().mine + " " + Base.child.at + " " + ((Kid) Base.child).mine);
        T t = new T();
        System.out.println(t.b + " " + t.c());
        System.out.println(new Order(6).log + " " + new Order().log);
        System.out.println(Impl.got + " " + Impl.w + " " + new Impl().v());
    }
}
