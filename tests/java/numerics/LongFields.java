/** Long and double values in fields, arrays, parameters, returns, across calls. */
public class LongFields {
    long a = 0x0123456789ABCDEFL; int x = 1; double b = Math.PI; byte y = 2; long c = -1; static long s1; static double s2; volatile long v; final long k = 9L;
    static long many(int i, long l, float f, double d, byte b, long m, Object o, double e, char c, boolean z, short s) { return i + l + (long) f + (long) d + b + m + o.hashCode() + (long) e + c + (z ? 1 : 0) + s; }
    static double recurse(long n, double d, int i) { return n == 0 ? d + i : recurse(n - 1, d * 1.5 - n, i + 1); }
    long self(long a) { this.a += a; return this.a - a + this.c; }
    static long ackermann(long m, long n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
    static long swap(long p, long q) { long t = p; p = q; q = t; { double inner = p; q += (long) inner; } int reuse = (int) q; return p * 1000 + reuse; }

    public static void main(String[] args) {
        LongFields f = new LongFields();
        System.out.println(Long.toHexString(f.a) + " " + f.x + " " + f.b + " " + f.y + " " + f.c + " " + f.k);
        f.x = -1; f.y = -1;
        f.c++; f.v--;
        f.a ^= f.c | f.v;
        System.out.println(Long.toHexString(f.a) + " " + f.c + " " + f.v + " " + f.self(5) + " " + (f.b *= 2));
        s1 += 1L << 33; s2 -= 0.5; s1 = -s1; s2 = -s2;
        System.out.println(s1 + " " + s2 + " " + (s1 > s2) + " " + (int) s1 + " " + (s1 >>> 33) + " " + (s1 >> 33));
        System.out.println(many(1, 2L << 40, 3.9f, 4.9, (byte) -5, Long.MIN_VALUE, "o", 1e18, 'z', true, (short) -7));
        System.out.println(recurse(20, 1, 0) + " " + ackermann(2, 9) + " " + swap(3, 4));
        long[] ls = new long[4];
        double[] ds = new double[4];
        for (int i = 0; i < 4; i++) { ls[i] = 1L << (i * 20); ds[i] = 1.0 / (1 << i); ls[3 - i] += i; ds[(i + 1) % 4] -= i; }
        System.out.println(java.util.Arrays.toString(ls) + java.util.Arrays.toString(ds));
        long fold = 0;
        for (long l : ls) fold = fold * 31 + l;
        for (double d : ds) fold ^= Double.doubleToLongBits(d);
        System.out.println(fold);
        Object[] boxes = {1L, 2.0, 3f, 'c', (byte) 4, (short) 5, 6, true};
        long total = 0;
        for (Object o : boxes) total += o instanceof Number n ? n.longValue() : o instanceof Character c ? c : 1000;
        System.out.println(total + " " + boxes[0].equals(1) + boxes[0].equals(1L) + " " + new Object[] {1 + 2L, 1 + 'c', 1f + 2.0}[2].getClass());
    }
}
