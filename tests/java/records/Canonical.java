import java.util.*;

/** Explicit canonical constructors, defensive copies, varargs components, static factories, nulls. */
public class Canonical {
    record Name(String first, String last) { Name(String first, String last) { this.first = Objects.requireNonNull(first, "first").strip(); this.last = last == null ? "" : last.toUpperCase(); } static Name parse(String s) { int i = s.indexOf(' '); return i < 0 ? new Name(s, null) : new Name(s.substring(0, i), s.substring(i + 1)); } }
    record Poly(double... cs) { Poly { cs = cs.clone(); } double at(double x) { double r = 0; for (int i = cs.length; i-- > 0; ) r = r * x + cs[i]; return r; } @Override public String toString() { return Arrays.toString(cs); } }
    record Chars(char c, byte b, short s, boolean z) { }
    public static void main(String[] args) {
        System.out.println(Name.parse(" ann smith".strip()) + " " + Name.parse("bob") + Name.parse("bob").equals(new Name("bob ", null)) + Name.parse("a b").hashCode());
        try { new Name(null, "x"); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        double[] d = {1, 2, 3}; Poly p = new Poly(d); d[0] = 100; System.out.println(p + " " + p.at(2) + new Poly().at(5) + p.equals(new Poly(1, 2, 3)));
        System.out.println(new Chars('x', (byte) -1, (short) 7, true) + " " + new Chars('x', (byte) -1, (short) 7, true).hashCode() + new Chars('x', (byte) 0, (short) 0, false).equals(new Chars('x', (byte) 0, (short) 0, false)));
    }
}
