/** Constant folding by the compiler against computation at run time. */
public class Strictness {
    static int zero() { return 0; }
    static double dzero() { return 0.0; }
    static final int FOLDED = Integer.MAX_VALUE + 1;
    static final String TEXT = "a" + 1 + 'c' + 2L + 3.0f + 4.0 + true + null;
    static final char CH = 'a' + 1;
    static final long BIG = 1L << 62 | 0xFFFFFFFFL;
    static final double THIRD = 1.0 / 3;
    static final float FTHIRD = 1f / 3;

    public static void main(String[] args) {
        int z = zero();
        double dz = dzero();
        int max = Integer.MAX_VALUE + z;
        System.out.println(FOLDED == max + 1);
        String one = "a" + (1 + z) + (char) ('c' + z) + (2L + z) + (3.0f + z) + (4.0 + z) + (z == 0) + (z == 0 ? null : "");
        System.out.println(TEXT + " " + TEXT.equals(one) + " " + (TEXT == one.intern()));
        System.out.println(CH + " " + BIG + " " + (BIG == ((1L + z) << 62 | 0xFFFFFFFFL)));
        System.out.println((THIRD == (1.0 + dz) / 3) + " " + (FTHIRD == (1f + z) / 3) + " " + ((double) FTHIRD == THIRD));
        System.out.println(0.1 + 0.2 + " " + (0.1 + dz + 0.2) + " " + (0.1f + 0.2f) + " " + (float) (0.1 + 0.2));
        System.out.println((1.0 / dz) + " " + (-1.0 / dz) + " " + (dz / dz) + " " + (1.0 / -dz) + " " + (5.5 % dz) + " " + (-5.5 % 2) + " " + (5.5 % Double.POSITIVE_INFINITY));
        System.out.println((1 << 31 + z) + " " + (5 & 6 | 1 ^ 3) + " " + (1 + 2 + "3" + 4 + 5) + ('a' + 'b') + (char) ('a' + 1));
        System.out.println(010 + 0x10 + 0b10 + 1_000 + " " + 0x1p4 + " " + 0x1.8p-1f + " " + 1e-3 + " " + '\u0041' + '\101' + "\t|\0".length() + "\s");
        System.out.println(Double.MIN_VALUE / 2 + " " + (Double.MIN_VALUE + dz) / 2 + " " + Double.MAX_VALUE * 2 + " " + Float.MIN_NORMAL / 2);
        long l = 0xCAFEBABEL, m = 0xCAFEBABE;
        System.out.println(l + " " + m + " " + (l == (m & 0xFFFFFFFFL)));
        float f = 16777216f + z;
        System.out.println((f + 1 == f) + " " + (f + 2) + " " + (int) 16777217f + " " + ((float) Integer.MAX_VALUE == 1L << 31) + " " + (double) Long.MAX_VALUE + " " + (float) Long.MIN_VALUE);
        double a = 1e308, b = 10;
        System.out.println(a * b / b + " " + (a * b - a * b) + " " + a * (b / b));
        System.out.println((byte) 128 + (byte) (127 + 1 + z) + " " + (short) (32768 + z) + " " + (int) 3e9 + " " + (int) (3e9 + dz) + " " + (long) Float.NaN + (int) (dz / dz));
    }
}
