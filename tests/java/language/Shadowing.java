/** Names that hide others: fields, locals, parameters, classes and methods. */
public class Shadowing {
    int x = 1; static String String = "a field named String";
    class Inner { int x = 2; int sum(int x) { return x + this.x * 10 + Shadowing.this.x * 100; } class String { public java.lang.String toString() { return "inner String"; } } Object make() { return new String(); } }
    static int Shadowing(int n) { return n + 1; }
    int length(int length) { int Shadowing = length; Shadowing: for (;;) { if (Shadowing++ > 5) break Shadowing; } return Shadowing(Shadowing); }
    public static void main(java.lang.String[] args) {
        System.out.println(new Shadowing().new Inner().sum(3) + " " + String + " " + new Shadowing().new Inner().make() + " " + new Shadowing().length(2));
        { int x = 5; System.out.println(x); }
        { long x = 6; System.out.println(x); }
        for (char x = 'a'; x < 'c'; x++) System.out.print(x);
        System.out.println();
    }
}
