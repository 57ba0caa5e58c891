import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Big decimals: scale, rounding modes, text, comparison. */
public class BigDecimals {
    public static void main(String[] args) {
        BigDecimal a = new BigDecimal("123.4500"), b = new BigDecimal("-0.067");
        System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " " + a.scale() + a.precision() + " " + a.stripTrailingZeros() + " " + a.unscaledValue() + " " + a.negate());
        System.out.println(a.divide(b, 10, RoundingMode.HALF_UP) + " " + a.divide(new BigDecimal("5")) + " " + a.remainder(b) + " " + a.divideToIntegralValue(b) + " " + a.divide(b, MathContext.DECIMAL32));
        for (String s : new String[] {"5.5", "2.5", "1.6", "1.1", "1.0", "-1.1", "-2.5", "-5.5"}) {
            StringBuilder line = new StringBuilder(s);
            for (RoundingMode m : RoundingMode.values()) if (m != RoundingMode.UNNECESSARY) line.append(' ').append(new BigDecimal(s).setScale(0, m));
            System.out.println(line);
        }
        System.out.println(new BigDecimal(0.1) + " " + BigDecimal.valueOf(0.1) + " " + new BigDecimal("1E+3") + " " + new BigDecimal("1E+3").toPlainString() + " " + new BigDecimal("0.0000001") + " " + new BigDecimal("0.00000001").toPlainString() + " " + new BigDecimal("12345E-10").toEngineeringString());
        System.out.println(new BigDecimal("2.0").equals(new BigDecimal("2.00")) + " " + new BigDecimal("2.0").compareTo(new BigDecimal("2.00")) + " " + new BigDecimal("2.0").hashCode() + " " + new BigDecimal("100").stripTrailingZeros());
        System.out.println(new BigDecimal("1234.5678").round(new MathContext(3)) + " " + new BigDecimal("2").sqrt(new MathContext(30)) + " " + a.pow(7) + " " + a.movePointLeft(5) + " " + a.movePointRight(5) + " " + a.scaleByPowerOfTen(-3) + " " + a.ulp());
        System.out.println(a.intValue() + " " + b.longValue() + " " + a.doubleValue() + " " + b.floatValue() + " " + a.toBigInteger() + " " + a.max(b) + " " + a.signum() + b.signum() + " " + a.plus(new MathContext(2)));
        try { BigDecimal.ONE.divide(new BigDecimal(3)); } catch (ArithmeticException e) { System.out.println(e.getMessage()); }
        try { BigDecimal.ONE.divide(BigDecimal.ZERO); } catch (ArithmeticException e) { System.out.println(e.getMessage()); }
        try { a.setScale(1, RoundingMode.UNNECESSARY); } catch (ArithmeticException e) { System.out.println(e.getMessage()); }
        try { new BigDecimal(Double.NaN); } catch (NumberFormatException e) { System.out.println("no NaN"); }
        BigDecimal balance = new BigDecimal("1000.00"), rate = new BigDecimal("1.0325");
        for (int year = 0; year < 10; year++) balance = balance.multiply(rate).setScale(2, RoundingMode.HALF_EVEN);
        System.out.println(balance);
        BigDecimal e = BigDecimal.ONE, term = BigDecimal.ONE;
        for (int i = 1; i < 40; i++) { term = term.divide(BigDecimal.valueOf(i), 45, RoundingMode.DOWN); e = e.add(term); }
        System.out.println(e.setScale(40, RoundingMode.HALF_UP));
    }
}
