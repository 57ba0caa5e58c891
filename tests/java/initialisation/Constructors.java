/** Constructor chains, instance initialisers, exceptions in them, final fields, this escapes. */
public class Constructors {
    static StringBuilder log = new StringBuilder();
    static class A { final int x; { log.append("A{} "); } A() { this(1); log.append("A() "); } A(int x) { this.x = x; log.append("A(").append(x).append(") "); init(); } void init() { log.append("A.init "); } }
    static class B extends A { final int y = 5; int z = 6; final String s; { log.append("B{").append(z).append("} "); } B() { log.append("B() "); s = "set"; } B(int k) { super(k * 2); s = null; log.append("B(k) "); } @Override void init() { log.append("B.init ").append(y).append(z).append(s).append(' '); z = 99; } }
    static class C { final int v; C(boolean fail) { log.append("C "); if (fail) throw new IllegalStateException("no C"); v = 1; } }
    static class D extends C { Object o = note("D.o"); D(boolean f) { super(f); log.append("D "); } static Object note(String s) { log.append(s).append(' '); return s; } }
    static class E { static E last; int n = 1; E() { last = this; if (true) throw new RuntimeException("escaped"); n = 2; } }
    static class F { int a = 1; int b = a + 1; { a = 10; } int c = a + b; F self = this; F() { a++; } F(F other) { this(); a += other.a; } }
    static class G { private G() { log.append("G "); } static G make() { return new G(); } } static class H extends G { }
    static int arg(String s) { log.append(s).append(' '); return s.length(); }
    static class I { I(int a, int b, Object... rest) { log.append("I").append(a + b + rest.length).append(' '); } }
    static class J extends I { J() { super(arg("j1"), arg("j22"), arg("j333"), null); } }
    static void flush() { System.out.println(log); log.setLength(0); }
    public static void main(String[] args) {
        new A(); flush(); B b = new B(); flush();
        System.out.println(b.z + " " + b.s + b.x);
        new B(4); flush();
        try { new D(true); } catch (IllegalStateException e) { log.append(e.getMessage()); } flush();
        System.out.println(new D(false).o); flush();
        try { new E(); } catch (RuntimeException e) { System.out.println(e.getMessage() + E.last.n); }
        F f = new F(new F());
        System.out.println(f.a + " " + f.b + " " + f.c + (f.self == f));
        new H(); G.make(); new J(); flush();
        try { Object o = new int[arg("neg") - 4]; } catch (NegativeArraySizeException e) { log.append(e.getMessage()); } flush();
        A anon = new A(7) { { log.append("anon{} "); } @Override void init() { log.append("anon.init "); } }; flush();
        System.out.println(anon.x);
    }
}
