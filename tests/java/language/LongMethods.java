/** A long switch with strings, many parameters, deep nesting of blocks and calls. */
public class LongMethods {
    static int hash(String... s) { int h = 7; for (String t : s) h = h * 31 + t.hashCode(); return h; }
    static int many(int a, long b, double c, float d, byte e, char f, short g, boolean h, String i, Object j, int[] k, int l, long m, double n, float o, byte p, char q, short r, boolean s, String t) { return hash("" + a + b + c + d + e + f + g + h + i + j + k.length + l + m + n + o + p + q + r + s + t); }
    static int month(String s) { switch (s.toLowerCase()) { case "january": return 1; case "february": return 2; case "march": return 3; case "april": return 4; case "may": return 5; case "june": return 6; case "july": return 7; case "august": return 8; case "september": return 9; case "october": return 10; case "november": return 11; case "december": return 12; default: return s.length() > 3 ? -1 : 0; } }
    public static void main(String[] args) {
        System.out.println(many(1, 2L, 3.0, 4f, (byte) 5, '6', (short) 7, true, "9", null, new int[11], 12, 13L, 14.0, 15f, (byte) 16, 'q', (short) 18, false, "20"));
        for (String s : "January may DECEMBER x smarch october".split(" ")) System.out.print(month(s) + " ");
        System.out.println();
        int r = 0;
        for (int a = 0; a < 3; a++) { for (int b = a; b < 3; b++) { if (a != b) { for (int c = 0; c < 2; c++) { while (true) { do { if (r % 2 == 0) { { { r += a * 9 + b * 3 + c; } } } else { r += 4; } r++; } while (r % 3 != 0); if (r > c) break; r += 2; } } } else { switch (a) { case 0: { int x = 5; { int y = x * 2; r += y; } } default: r += 2; } } } }
        System.out.println(r);
        Object o = new Object() { int go(int n) { return new Object() { int deeper(int m) { return new Object() { int deepest(int k) { return k + m + n; } }.deepest(3); } }.deeper(20); } }.go(100);
        System.out.println(o);
    }
}
