/** Every comparison of every type, with NaN and signed zeros, as branch and as value. */
public class Comparisons {
    static int bits(double a, double b) {
        int r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a > b) r |= 4;
        if (a >= b) r |= 8;
        if (a == b) r |= 16;
        if (a != b) r |= 32;
        if (!(a < b)) r |= 64;
        if (!(a >= b)) r |= 128;
        return r;
    }

    static int bits(float a, float b) {
        int r = 0;
        r |= a < b ? 1 : 0;
        r |= a <= b ? 2 : 0;
        r |= a > b ? 4 : 0;
        r |= a >= b ? 8 : 0;
        r |= a == b ? 16 : 0;
        r |= a != b ? 32 : 0;
        r |= !(a > b) ? 64 : 0;
        r |= !(a <= b) ? 128 : 0;
        return r;
    }

    static int bits(long a, long b) {
        boolean lt = a < b, le = a <= b, gt = a > b, ge = a >= b, eq = a == b, ne = a != b;
        return (lt ? 1 : 0) + (le ? 2 : 0) + (gt ? 4 : 0) + (ge ? 8 : 0) + (eq ? 16 : 0) + (ne ? 32 : 0);
    }

    static int bits(int a, int b) {
        int r = 0;
        while (a < b) { r |= 1; break; }
        while (a <= b) { r |= 2; break; }
        while (a > b) { r |= 4; break; }
        while (a >= b) { r |= 8; break; }
        if (a == b && r > 0) r |= 16;
        if (a != b || r < 0) r |= 32;
        if (a < 0) r |= 64;
        if (b <= 0) r |= 128;
        if (a > 0) r |= 256;
        if (b >= 0) r |= 512;
        if (a == 0) r |= 1024;
        if (b != 0) r |= 2048;
        return r;
    }

    public static void main(String[] args) {
        double[] ds = {0.0, -0.0, 1, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE};
        for (double a : ds) {
            for (double b : ds) System.out.print(bits(a, b) + ":" + bits((float) a, (float) b) + ":" + Double.compare(a, b) + " ");
            System.out.println();
        }
        long[] ls = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32, (1L << 32) + 1};
        for (long a : ls) {
            for (long b : ls) System.out.print(bits(a, b) + ":" + bits((int) a, (int) b) + " ");
            System.out.println();
        }
        Object x = "x", y = new String("x"), n = null;
        System.out.println((x == y) + " " + (x != y) + " " + (n == null) + " " + (x != null) + " " + (x == "x") + " " + x.equals(y));
        Integer a = 127, b = 127, c = 1000, d = 1000;
        System.out.println((a == b) + " " + c.equals(d) + " " + (c <= d && c >= d) + " " + (c == 1000));
        boolean p = true, q = false;
        System.out.println((p & q) + " " + (p | q) + " " + (p ^ q) + " " + (p && !q) + " " + (p == q) + " " + (p != q));
        Double nan = Double.NaN;
        System.out.println(nan.equals(Double.NaN) + " " + (nan == Double.NaN) + " " + Double.valueOf(0.0).equals(-0.0) + " " + (0.0 == -0.0));
    }
}
