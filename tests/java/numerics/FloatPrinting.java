/** Float values through printing, parsing, formatting and rounding to decimals. */
public class FloatPrinting {
    public static void main(String[] args) {
        float[] fs = {0.5f, 0.25f, 1.5f, 100f, 1e-5f, 3.5e5f, 123456f, 0.015625f, 1048576f, 7.5e-9f, -2.75f};
        for (float f : fs) System.out.println(f + " " + (double) f + " " + (int) f + " " + Math.round(f) + " " + String.format("%.3f %e", f, f) + " " + Float.floatToIntBits(f) + " " + Float.parseFloat("" + f) + " " + Float.compare(f, 1) + Float.sum(f, 1) + " " + Float.toHexString(f) + " " + (f == Float.valueOf(f)) + " " + (long) (f * 1e6f));
        System.out.println(Float.MAX_VALUE + " " + Float.MIN_VALUE + " " + Float.NaN + " " + -Float.MIN_VALUE / 2 + " " + Float.MAX_VALUE * 10 + " " + (Float.MAX_VALUE + 1e30f) + " " + (float) 1e39 + " " + (float) -1e-50 + " " + Float.MIN_EXPONENT + Float.SIZE);
        double[] money = {0.005, 1.005, 2.675, 1.115, 9.995, 0.125, 0.375};
        for (double m : money) System.out.print(String.format("%.2f ", m) + Math.round(m * 100) / 100.0 + " " + new java.math.BigDecimal(m).setScale(2, java.math.RoundingMode.HALF_UP) + " " + java.math.BigDecimal.valueOf(m).setScale(2, java.math.RoundingMode.HALF_EVEN) + "; ");
        System.out.println();
        for (double d = 1e-4; d < 1e9; d *= 10) System.out.print(d * 1.5 + " ");
        System.out.println();
        for (int e = -5; e <= 22; e += 3) System.out.print(Math.pow(10, e) + " " + Double.parseDouble("1e" + e) + " ");
        System.out.println((0.1f == 0.1) + " " + (0.5f == 0.5) + " " + (float) 0.1 + " " + (double) 0.1f + " " + 0.1f * 3 + " " + 0.1 * 3 + " " + 1.1f * 1.1f + " " + 1.0f / 3 + " " + 2f / 3);
    }
}
