/** Conversions between floating and integer types saturate and truncate. */
public class FloatToInt {
    public static void main(String[] args) {
        double[] ds = {0.0, -0.0, 0.9, -0.9, 1.5, -1.5, 2147483647.0, 2147483648.0, -2147483648.0, -2147483649.0, 9.2e18, 9.3e18, -9.3e18, 1e300, -1e300, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, 65535.9, 65536.5, -1.0, 255.5, 1e10};
        for (double d : ds) {
            float f = (float) d;
            System.out.println((int) d + " " + (long) d + " " + (int) f + " " + (long) f + " " + (byte) d + " " + (short) d + " " + (int) (char) d + " " + Math.round(d) + " " + Math.round(f));
        }
        int[] is = {0, 1, -1, 16777217, -16777219, 33554435, Integer.MAX_VALUE, Integer.MIN_VALUE, 123456789};
        for (int i : is) System.out.println(Float.floatToIntBits((float) i) + " " + Double.doubleToLongBits((double) i) + " " + (i == (int) (float) i) + " " + (i == (int) (double) i));
        long[] ls = {0, 9007199254740993L, -9007199254740995L, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 53, (1L << 24) + 1, 0x7fffffbfffffffffL, 0x7fffff4000000001L};
        for (long l : ls) System.out.println(Float.floatToIntBits((float) l) + " " + Double.doubleToLongBits((double) l) + " " + (l == (long) (double) l) + " " + Float.floatToIntBits((float) (double) l));
        double[] roundings = {1.00000017881393421514957253748434595763683319091796875001, 16777217.0, 16777219.0, 1e-45, 7e-46, 7.1e-46, 3.4028235677973366e38, 3.4028235e38, 1.1754943508222875e-38};
        for (double d : roundings) System.out.println(Integer.toHexString(Float.floatToRawIntBits((float) d)));
        System.out.println((int) 'x' + " " + (char) 120.99 + " " + (int) 3.999999999999999999 + " " + (long) 1e18f + " " + (int) Float.MAX_VALUE);
    }
}
