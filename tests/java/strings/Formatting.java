import java.util.Locale;

/** String.format with many conversions, flags, widths and precisions. */
public class Formatting {
    static void f(String pattern, Object... args) {
        try { System.out.println("[" + String.format(Locale.ROOT, pattern, args) + "]"); } catch (RuntimeException e) { System.out.println(e.getClass().getSimpleName() + " " + e.getMessage()); }
    }
    public static void main(String[] args) {
        f("%d|%5d|%-5d|%05d|%+d|% d|%,d|%(d|%x|%X|%o|%#x|%#o", 42, 42, 42, 42, 42, 42, 1234567, -42, 255, 255, 8, 255, 8);
        f("%d %d %d %d %x %x %x", (byte) -1, (short) -2, Long.MIN_VALUE, new java.math.BigInteger("123456789012345678901"), (byte) -1, -1L, Integer.MIN_VALUE);
        f("%s|%10s|%-10s|%.2s|%10.3s|%S|%s|%s", "hello", "hi", "hi", "hello", "hello", "up", null, true);
        f("%c|%C|%5c|%-3c|%c|%c", 'a', 'b', 'c', 'd', 101, (byte) 102);
        f("%b|%B|%b|%b|%.2b|%h|%H", true, false, null, "x", true, "hello", 255);
        f("%f|%.2f|%10.3f|%-10.1f|%010.2f|%+.1f|%,.2f|%(.2f|%.0f|%#.0f", 3.14159, 2.71828, 1.5, 1.25, -3.14159, 2.0, 1234567.891, -5.5, 2.5, 3.5);
        f("%e|%.2e|%E|%12.4e|%g|%.3g|%g|%G|%a|%A", 12345.678, 0.00012, 1e100, -5.5, 0.0001, 123456.0, 1e-5, 1e10, 1.0, 0.1);
        f("%f %e %g %a %s %.1f %5.0f", Double.NaN, Double.POSITIVE_INFINITY, 0.0, -0.0, Double.MIN_VALUE, Double.NEGATIVE_INFINITY, 0.5);
        f("%.3f %.3f %.3f %.1f %.1f %.20f %.15f", 0.0005, 0.0015, 1.0005, 0.25, 0.35, 0.1, 1e-15);
        f("%2$s %1$s %2$s %<s %s %s", "a", "b");
        f("%n%%|%5%|%-5%|".replace("%n", ""));
        f("%s %s", java.util.List.of(1, 2), new int[0].length);
        f("%08.3f|%+08d|%-+8d|%,+d|%,.3f|%x", -1.5, 7, 7, -1234567, 9999.9995, -255);
        f("%.2f %10.4f %s %.0f", new java.math.BigDecimal("12.345"), new java.math.BigDecimal("-0.00005"), new java.math.BigDecimal("1E+5"), new java.math.BigDecimal("2.5"));
        f("%d", "not a number");
        f("%d", 1.5);
        f("%.2d", 1);
        f("%q", 1);
        f("%s %s", "one");
        f("%-d", 1);
        f("%5", 1);
        f("%c", 0x110000);
        f("%,x", 1);
        f("%+s", "x");
        f("%-05d", 1);
        f("%f %f", 1f, 1.1f);
        f("%tY-%<tm-%<td %<tH:%<tM:%<tS %<tj %<ta %<tB", java.time.LocalDateTime.of(2024, 2, 29, 13, 5, 9));
        System.out.printf("%s %d%n", "printf", 5);
        System.out.println(new java.util.Formatter(new StringBuilder("pre ")).format("%03d", 7).format("%s", "!"));
        System.out.println(String.format("%s%s", new Object[] {"x", new java.util.Formattable() { public void formatTo(java.util.Formatter fm, int fl, int w, int p) { fm.format("custom"); } }}));
    }
}
