/** IEEE arithmetic, bit by bit: rounding, subnormals, signed zeros, remainders. */
public class FloatArithmetic {
    static long h;
    static void d(double x) { h = h * 1000003 + Double.doubleToLongBits(x); }
    static void f(float x) { h = h * 1000003 + Float.floatToIntBits(x); }

    public static void main(String[] args) {
        double[] ds = {0.0, -0.0, 1, -1, 1.0 / 3, Double.MIN_VALUE, -Double.MIN_VALUE, Double.MIN_NORMAL, Double.MAX_VALUE, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN, 1e16, 0.1, 123456.789, -7.5, 1e-300};
        for (double a : ds) {
            h = 0;
            for (double b : ds) {
                d(a + b); d(a - b); d(a * b); d(a / b); d(a % b); d(-a);
                float p = (float) a, q = (float) b;
                f(p + q); f(p - q); f(p * q); f(p / q); f(p % q); f(-q);
                d(Math.min(a, b)); d(Math.max(a, b)); f(Math.min(p, q)); f(Math.max(p, q));
                d(Math.copySign(a, b)); d(Math.IEEEremainder(a, b)); d(Math.fma(a, b, 1.5)); f(Math.fma(p, q, -0.5f));
                d(Math.nextAfter(a, b)); d(Math.scalb(a, 3)); f(Math.scalb(p, -140));
            }
            d(Math.ulp(a)); d(Math.sqrt(a)); d(Math.ceil(a)); d(Math.floor(a)); d(Math.rint(a)); d(Math.abs(a)); d(Math.signum(a)); h += Math.getExponent(a);
            System.out.println(a + " " + Long.toHexString(h));
        }
        System.out.println(5.0 % 3 + " " + -5.0 % 3 + " " + 5.0 % -3 + " " + 1e17 % 7 + " " + 0.3 % 0.1 + " " + Double.MAX_VALUE % 3 + " " + 5f % 0.7f);
        double x = 0.0;
        for (int i = 0; i < 10; i++) x += 0.1;
        float y = 0;
        for (int i = 0; i < 10; i++) y += 0.1f;
        System.out.println(x + " " + y + " " + (x == 1.0) + " " + (0.1f + 0.2 == 0.1 + 0.2f));
        System.out.println(1 / 0.0 + " " + 1 / -0.0 + " " + Math.sqrt(-1) + " " + (0.0 == -0.0) + " " + (0.0 / 0 != 0.0 / 0) + " " + Math.min(0.0, -0.0) + " " + (0.0 + -0.0) + " " + (-0.0 - 0.0));
        System.out.println(Double.doubleToRawLongBits(Double.longBitsToDouble(0x7ff8000000000123L)) + " " + Double.doubleToLongBits(Double.longBitsToDouble(0x7ff8000000000123L)) + " " + Float.isNaN(Float.intBitsToFloat(0x7fc12345)));
        strict();
    }
    static strictfp void strict() {
        double tiny = Double.MIN_NORMAL, r = tiny;
        for (int i = 0; i < 55; i++) { r /= 2; if (i % 9 == 0) System.out.print(Double.doubleToLongBits(r) + " "); }
        System.out.println(r);
    }
}
