import java.util.ArrayList;
import java.util.List;

/** A sealed expression tree of records: evaluate, simplify, differentiate, print. */
public class Shapes {
    sealed interface Expr permits Num, Var, Add, Mul, Neg { }
    record Num(double v) implements Expr { @Override public String toString() { return v == Math.rint(v) ? "" + (long) v : "" + v; } }
    record Var(String name) implements Expr { @Override public String toString() { return name; } }
    record Add(Expr l, Expr r) implements Expr { @Override public String toString() { return "(" + l + " + " + r + ")"; } }
    record Mul(Expr l, Expr r) implements Expr { @Override public String toString() { return l + "*" + r; } }
    record Neg(Expr e) implements Expr { @Override public String toString() { return "-" + e; } }

    static double eval(Expr e, double x) {
        if (e instanceof Num n) return n.v();
        if (e instanceof Var) return x;
        if (e instanceof Add a) return eval(a.l(), x) + eval(a.r(), x);
        if (e instanceof Mul m) return eval(m.l(), x) * eval(m.r(), x);
        if (!(e instanceof Neg n)) throw new AssertionError(e);
        return -eval(n.e(), x);
    }
    static Expr derive(Expr e) {
        if (e instanceof Num) return new Num(0);
        if (e instanceof Var) return new Num(1);
        if (e instanceof Add a) return new Add(derive(a.l), derive(a.r));
        if (e instanceof Mul m) return new Add(new Mul(derive(m.l), m.r), new Mul(m.l, derive(m.r)));
        if (e instanceof Neg n) return new Neg(derive(n.e));
        throw new IllegalStateException();
    }
    static Expr simplify(Expr e) {
        if (e instanceof Add a) {
            Expr l = simplify(a.l), r = simplify(a.r);
            if (l instanceof Num p && r instanceof Num q) return new Num(p.v + q.v);
            if (l instanceof Num p && p.v == 0) return r;
            if (r instanceof Num q && q.v == 0) return l;
            return l.equals(r) ? new Mul(new Num(2), l) : new Add(l, r);
        }
        if (e instanceof Mul m) {
            Expr l = simplify(m.l), r = simplify(m.r);
            if (l instanceof Num p && r instanceof Num q) return new Num(p.v * q.v);
            if (l instanceof Num p && p.v == 0 || r instanceof Num q && q.v == 0) return new Num(0);
            if (l instanceof Num p && p.v == 1) return r;
            if (r instanceof Num q && q.v == 1) return l;
            return new Mul(l, r);
        }
        if (e instanceof Neg n) { Expr i = simplify(n.e); return i instanceof Num k ? new Num(-k.v) : i instanceof Neg m ? m.e : new Neg(i); }
        return e;
    }
    public static void main(String[] args) {
        Expr x = new Var("x");
        List<Expr> all = new ArrayList<>(List.of(new Num(3), x, new Add(x, x), new Mul(new Add(x, new Num(1)), new Mul(x, new Num(2.5))), new Neg(new Neg(new Mul(x, new Num(0))))));
        Expr poly = new Num(1);
        for (int i = 0; i < 5; i++) poly = new Add(new Mul(poly, x), new Num(i % 3 - 1));
        all.add(poly);
        for (Expr e : all) {
            Expr d = simplify(derive(e));
            System.out.println(e + "   ->   " + simplify(e) + "   '->   " + d + "   @2: " + eval(e, 2) + " " + eval(d, 2) + " " + e.hashCode() % 1000);
        }
        System.out.println(new Add(x, new Num(-0.0)).equals(new Add(x, new Num(0.0))) + " " + Expr.class.isSealed() + Expr.class.getPermittedSubclasses().length);
    }
}
