/** Math and StrictMath: exact ones bit by bit, transcendental ones by StrictMath. */
public class MathFunctions {
    public static void main(String[] args) {
        double[] xs = {0.0, -0.0, 0.5, -0.5, 1, -1, 2, 10, -3.75, 100.25, 1e-10, 1e10, 709.7, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        for (double x : xs) {
            long h = 0;
            double[] rs = {StrictMath.sin(x), StrictMath.cos(x), StrictMath.tan(x), StrictMath.asin(x), StrictMath.acos(x), StrictMath.atan(x), StrictMath.exp(x), StrictMath.log(x), StrictMath.log10(x), StrictMath.sqrt(x), StrictMath.cbrt(x), StrictMath.sinh(x), StrictMath.cosh(x), StrictMath.tanh(x), StrictMath.expm1(x), StrictMath.log1p(x), StrictMath.toRadians(x), StrictMath.hypot(x, 3), StrictMath.atan2(x, -2), StrictMath.pow(x, 3.5), StrictMath.pow(2.5, x)};
            for (double r : rs) h = h * 31 + Double.doubleToLongBits(r);
            System.out.println(x + " " + Long.toHexString(h) + " " + rs[0] + " " + rs[6]);
            System.out.println("  " + Math.floor(x) + " " + Math.ceil(x) + " " + Math.rint(x) + " " + Math.round(x) + " " + Math.abs(x) + " " + Math.signum(x) + " " + Math.sqrt(x) + " " + Math.nextUp(x) + " " + Math.ulp(x));
        }
        System.out.println(Math.rint(2.5) + " " + Math.rint(3.5) + " " + Math.round(-2.5) + " " + Math.round(0.49999999999999994) + " " + Math.round(4503599627370497.5) + " " + Math.round(-0.5f));
        System.out.println(Math.floorDiv(-7, 2) + " " + Math.floorMod(-7, 2) + " " + Math.floorDiv(7, -2) + " " + Math.floorMod(7L, -2L) + " " + Math.floorDiv(Integer.MIN_VALUE, -1) + " " + Math.floorMod(-1L, 5));
        System.out.println(Math.pow(2, 10) + " " + Math.pow(0, 0) + " " + Math.pow(Double.NaN, 0) + " " + Math.pow(-8, 1.0 / 3) + " " + Math.pow(-2, 3) + " " + Math.pow(2, -1074) + " " + Math.pow(1, Double.POSITIVE_INFINITY));
        System.out.println(Math.max(1, 2L) + " " + Math.min(-0.0f, 0.0f) + " " + Math.abs(-0.0) + " " + Math.negateExact(5) + " " + Math.absExact(-5) + " " + Math.hypot(3, 4) + " " + Math.cbrt(27) + " " + Math.sin(0) + " " + Math.exp(0) + " " + Math.log(1));
        Runnable[] exact = {() -> Math.multiplyExact(1 << 20, 1 << 11), () -> Math.multiplyExact(1L << 40, 1L << 23), () -> Math.subtractExact(Integer.MIN_VALUE, 1), () -> Math.incrementExact(Long.MAX_VALUE), () -> Math.negateExact(Integer.MIN_VALUE), () -> Math.floorDiv(1, 0), () -> Math.absExact(Long.MIN_VALUE)};
        for (Runnable r : exact) try { r.run(); System.out.println("fine"); } catch (ArithmeticException e) { System.out.println(e.getMessage()); }
    }
}
