/** Concatenation of 210 pieces at once and of every type, and deep expression nesting. */
public class Concatenation {
    static int f(int n) { return n <= 0 ? 1 : n + f(n - 1) % 7 * f(n / 2 - 1); }

    public static void main(String[] args) {
        int a = 1; long b = 2; char c = 'c'; double d = 4.5; float e = 5.25f; boolean g = true; String s = "s"; Object o = null; byte h = -1; short i = -2;
        String r = a + b + c + d + e + "|" + g + s + o + h + i + a + "\1\2\u0001" + b + c + d + "" + e + g + s + o + h + i;
        System.out.println(r.replace('\1', '1').replace('\2', '2'));
        String big = "" + a + b + c + d + e + g + s + o + h + i + a + b + c + d + e + g + s + o + h + i + a + b + c + d + e + g + s + o + h + i
            + a + b + c + d + e + g + s + o + h + i + a + b + c + d + e + g + s + o + h + i + a + b + c + d + e + g + s + o + h + i
            + a + b + c + d + e + g + s + o + h + i + a + b + c + d + e + g + s + o + h + i + a + b + c + d + e + g + s + o + h + i
            + a + b + c + d + e + g + s + o + h + i + a + b + c + d + e + g + s + o + h + i + a + b + c + d + e + g + s + o + h + i
            + a + b + c + d + e + g + s + o + h + i + a + b + c + d + e + g + s + o + h + i + a + b + c + d + e + g + s + o + h + i
            + a + b + c + d + e + g + s + o + h + i + a + b + c + d + e + g + s + o + h + i + a + b + c + d + e + g + s + o + h + i
            + a + b + c + d + e + g + s + o + h + i + a + b + c + d + e + g + s + o + h + i + a + b + c + d + e + g + s + o + h + i;
        System.out.println(big.length() + " " + big.hashCode());
        System.out.println(((((((1 + a) * 2 + a) * 3 + a) * 4 + a) * 5 + a) * 6 + a) * 7 + (a - (a * (a - (a + (a * 8))))));
        System.out.println(f(5) + (f(6) * (f(7) - (f(8) / (f(3) + (f(4) % (f(2) | (f(1) & (f(0) ^ (f(9) >> (f(1) << 1)))))))))));
        char[] cs = {'x', 'y'};
        System.out.println(String.valueOf(cs) + cs.length + new StringBuilder().append(cs).append(cs, 1, 1));
        s += s + s;
        s += 1 + 2;
        s += 'a' + 1;
        s = 1 + 2 + s + 1 + 2;
        System.out.println(s);
        String nul = null;
        nul = nul + nul;
        System.out.println(nul + (nul == null) + (o + "x").length());
        System.out.println("" + Long.MIN_VALUE + Integer.MIN_VALUE + Double.NaN + Float.NEGATIVE_INFINITY + -0.0 + (byte) 200 + (char) 0x41);
        final String k = "con" + "stant";
        System.out.println(k == "constant" ? "folded" : "not");
        Object obj = new Object() { public String toString() { return null; } };
        System.out.println("to" + obj + "string");
        StringBuilder sb = new StringBuilder("start");
        String twice = "" + sb.append("1") + sb.append("2");
        System.out.println(twice);
    }
}
