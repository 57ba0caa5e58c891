/** Conditional expressions: types, nesting, laziness, boxing that hides a null. */
public class Ternaries {
    static int calls;
    static boolean t(boolean b) { calls++; return b; }
    static int grade(int n) { return n > 90 ? 'A' : n > 80 ? 'B' : n > 70 ? n > 75 ? '+' : '-' : 'F'; }
    public static void main(String[] args) {
        for (int n : new int[] {95, 85, 77, 72, 10}) System.out.print((char) grade(n));
        System.out.println();
        System.out.println(t(true) || t(false) && t(true) ? calls : -calls);
        System.out.println((t(false) && t(true) || t(true)) + " " + calls + " " + (t(false) | t(true) & t(false) ^ t(true)) + " " + calls);
        Integer nul = null;
        try { int x = args.length == 0 ? nul : 0; } catch (NullPointerException e) { System.out.println("unboxed null"); }
        Object o = args.length == 0 ? 'a' : 0; Object p = args.length == 0 ? 1 : 'b'; int k = 7; Object q = args.length == 0 ? 'a' : k; Object r = args.length > 0 ? 1 : 2L; Object s = args.length > 0 ? null : 3; Object u = args.length == 0 ? (short) 1 : 'x';
        System.out.println(o.getClass().getSimpleName() + p.getClass().getSimpleName() + q.getClass().getSimpleName() + r.getClass().getSimpleName() + s.getClass().getSimpleName() + u.getClass().getSimpleName());
        long l = k > 5 ? k : 1L << 40; double d = k < 5 ? 1 : 2.5f; byte b = true ? 1 : 2; char c = true ? 65 : 'b';
        System.out.println(l + " " + d + " " + b + c);
        boolean x = true, y = false;
        System.out.println((x ? y : !y) ? "yes" : (y ? x : !x) ? "maybe" : "no");
        int i = 0;
        i = i++ > 0 ? i : i++ + ++i;
        System.out.println(i + " " + (i > 2 ? i < 5 ? i == 3 ? "three" : "other" : "big" : "small"));
        String str = null;
        System.out.println((str != null && str.length() > 0 ? str : "empty") + (str == null || str.isEmpty()) + (x != y == true) + (x ^ y ? 1 : 0) + (!x == y));
        int[] a = {1, 2}, e = {};
        System.out.println((k % 2 == 0 ? a : e).length + (k > 0 ? a : e)[1] + " " + (k > 0 ? "s" : 1) + (k < 0 ? 1 : "t"));
    }
}
