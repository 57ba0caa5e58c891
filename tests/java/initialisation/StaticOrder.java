/** Static initialisers run once, on first use, superclass first, in text order. */
public class StaticOrder {
    static void log(String s) { System.out.print(s + " "); }
    static int say(String s) { log(s); return s.length(); }
    static class A { static int a = say("A.a"); static { log("A.static"); } int f = say("A.f"); { log("A.init"); } A() { log("A()"); hook(); } void hook() { log("A.hook"); } static void touch() { log("A.touch"); } static final int CONST = 5; static final Integer BOXED = 6; static final String S = "const"; }
    static class B extends A { static int b = say("B.b"); int g = say("B.g"); B() { super(); log("B()"); } @Override void hook() { log("B.hook" + g); } }
    interface I { int X = say("I.X"); default void d() { } } interface J extends I { int Y = say("J.Y"); static int z() { return 1; } } interface K { int Q = say("K.Q"); }
    static class C implements J, K { static { log("C.static"); } }
    static class D { static { log("D"); } static D self = new D(); static int n = 3; int seen; D() { seen = n; n++; } }
    static class Never { static { log("NEVER"); } static final long L = 1L << 40; }
    enum E { ONE, TWO; static { log("E.static"); } E() { System.out.print("E() "); } }
    static int own = say("own");
    static { log("main.static"); }
    public static void main(String[] args) throws Exception {
        log("main"); System.out.println();
        System.out.println(A.CONST + A.S + " not initialised");
        A[] arr = new A[2]; Class<?> c = A.class; A nul = null; boolean is = nul instanceof A;
        System.out.println("still not");
        B.touch(); System.out.println("touch through B");
        new B(); System.out.println();
        System.out.println(B.BOXED);
        new C(); System.out.println("C");
        System.out.println(J.Y);
        System.out.println(K.Q);
        System.out.println(D.self.seen + " " + D.n);
        System.out.println(Never.L + " " + Never.class.getSimpleName());
        System.out.println(E.TWO);
        Class.forName("StaticOrder$Late", false, StaticOrder.class.getClassLoader()); System.out.println("loaded");
        Class.forName("StaticOrder$Late"); System.out.println();
    }
    static class Late { static { log("Late"); } }
}
