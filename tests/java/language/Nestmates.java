/** Private members reached across the classes of one nest, in every direction. */
public class Nestmates {
    private int secret = 1;
    private static long shared = 10;
    private Nestmates() { }
    private Nestmates(int s) { secret = s; }
    private int twice() { return secret * 2; }
    private static String hide(Object o) { return "<" + o + ">"; }

    private static class A {
        private int a = 5;
        private A() { shared++; }
        private int peek(Nestmates n) { return n.secret + n.twice(); }
        private static class Inside {
            private int deep = new Nestmates(8).secret;
            private int reach(B b) { return b.b++ + b.hidden() + deep; }
        }
    }
    private static class B extends A {
        private int b = 6;
        private int a = 50;
        private int hidden() { return a + super.a + ((A) this).a; }
        private B self() { return this; }
    }
    private interface I {
        private int own() { return 77; }
        default int open() { return own() + new Nestmates(3).twice(); }
        private static int util() { return 78; }
    }
    private enum E {
        ONE(1) { int f() { return 10; } }, TWO(2) { int f() { return E.base() + 20; } };
        private final int n;
        E(int n) { this.n = n; }
        abstract int f();
        private static int base() { return 100; }
    }
    private record R(int x) {
        private R { if (x < 0) x = -x; shared += x; }
        private int next() { return x + 1; }
    }

    public static void main(String[] args) {
        Nestmates n = new Nestmates();
        n.secret += 4;
        n.secret++;
        A a = new A();
        B b = new B();
        System.out.println(a.peek(n) + " " + a.a + " " + b.hidden() + " " + shared);
        System.out.println(new A.Inside().reach(b) + " " + b.self().b + " " + (b.b += 3));
        I i = new I() { };
        System.out.println(i.open() + " " + i.own() + " " + I.util());
        for (E e : E.values()) System.out.println(e + " " + e.n + " " + e.f() + " " + e.getDeclaringClass().getSimpleName());
        System.out.println(new R(-4).next() + " " + shared-- + " " + --shared);
        java.util.function.Function<Object, String> f = Nestmates::hide;
        java.util.function.IntFunction<Nestmates> make = Nestmates::new;
        System.out.println(f.apply("x") + make.apply(9).twice());
        System.out.println(A.class.getNestHost().getName() + " " + A.Inside.class.isNestmateOf(B.class) + " " + Nestmates.class.isNestmateOf(String.class));
    }
}
