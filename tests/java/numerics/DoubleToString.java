/** The shortest decimal text of doubles and floats, where all releases agree. */
public class DoubleToString {
    public static void main(String[] args) {
        double[] ds = {0, -0.0, 1, -1, 10, 100, 1e3, 9999999, 1e7, 12345678, 1e-3, 9.99e-4, 0.1, 1.0 / 3, 2.0 / 3, 100.5, 123456789.125, 1e21, 1e22, 1.7976931348623157E308, 4.9E-324, 2.2250738585072014E-308, Math.PI, Math.E, 1e100, 5e-5, 0.001, 1234567.0, 0.3, 0.30000000000000004, 9007199254740992.0, 9007199254740994.0, 1.5e300, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        for (double d : ds) System.out.println(d + " " + Double.toHexString(d) + " " + Double.hashCode(d) + " " + (Double.parseDouble(Double.toString(d)) == d));
        float[] fs = {0, -0f, 1, 1.1f, 0.1f, 1f / 3, 16777216f, 1e10f, 3.4028235E38f, 1.4E-45f, 0.001f, 9.999E-4f, 1e7f, 123.456f, Float.NaN, Float.POSITIVE_INFINITY};
        for (float f : fs) System.out.println(f + " " + Float.toHexString(f) + " " + Float.hashCode(f) + " " + (double) f);
        String[] texts = {"1", "1.", ".5", "-0", "1e5", "1E-5", "0x1p3", "0x.8p1", "NaN", "-Infinity", "  7  ", "1f", "1d", "1e400", "-1e-400", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1.7976931348623158e308", "1.7976931348623159e308", "9007199254740993", "0.1000000000000000055511151231257827", "123456789012345678901234567890", "1_0", "", "x", "0x1", "1e", "--1", "+1"};
        for (String s : texts) {
            try {
                double d = Double.parseDouble(s);
                System.out.println(s + " -> " + d + " " + Double.doubleToLongBits(d) + " " + Float.floatToIntBits(Float.parseFloat(s)));
            } catch (NumberFormatException e) {
                System.out.println(s + " -> " + e.getMessage());
            }
        }
        StringBuilder b = new StringBuilder();
        b.append(1.5).append(2.5f).append(-1e-10).insert(0, 3.25).append(Double.valueOf(7)).append((Object) 8f);
        System.out.println(b + " " + Double.compare(0.0, -0.0) + " " + Double.valueOf(Double.NaN).equals(Double.NaN) + Double.isFinite(1e308 * 10) + Double.MIN_EXPONENT);
    }
}
