import java.util.*;

/** Enums and their static state: constants first, then statics; nested and cyclic uses. */
public class EnumOrder {
    enum A { X, Y; static int n = 10; static final List<String> LOG = new ArrayList<>(); final int seen; A() { seen = peek(); } static int peek() { return n; } static { LOG.add("static " + X.seen + values().length); } }
    enum B { P(A.Y), Q(null); final A a; B(A a) { this.a = a; } static final Map<String, B> BY = new HashMap<>(); static { for (B b : values()) BY.put(b.name().toLowerCase(), b); } B other() { return switch (this) { case P -> Q; case Q -> P; }; } }
    interface Op { int go(int x); } enum C implements Op { INC(x -> x + 1), SQ(x -> x * x), BOTH(x -> SQ().go(INC.go(x))); final Op op; C(Op op) { this.op = op; } public int go(int x) { return op.go(x); } static Op SQ() { return SQ; } }
    public static void main(String[] args) {
        System.out.println(A.LOG + " " + A.X.seen + A.n + " " + B.BY.get("q") + B.P.other().other().a + " " + C.BOTH.go(4) + C.valueOf("SQ").go(9));
    }
}
