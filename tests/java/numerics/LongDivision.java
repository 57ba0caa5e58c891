/** Division and remainder at the edges, for all pairs of interesting values; floor variants. */
public class LongDivision {
    public static void main(String[] args) {
        long[] vs = {1, -1, 2, -2, 3, -3, 7, -7, 10, 1L << 31, -(1L << 31), (1L << 31) - 1, 1L << 32, (1L << 32) + 1, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1, 0};
        for (long a : vs) {
            long h = 0;
            for (long b : vs) {
                if (b == 0) { try { h += a / b; } catch (ArithmeticException e) { h ^= 99; } try { h += a % b; } catch (ArithmeticException e) { h ^= 77; } continue; }
                h = h * 31 + a / b; h = h * 31 + a % b; h = h * 31 + Math.floorDiv(a, b); h = h * 31 + Math.floorMod(a, b); h = h * 31 + Long.divideUnsigned(a, b); h = h * 31 + Long.remainderUnsigned(a, b);
                int x = (int) a, y = (int) b;
                if (y != 0) { h = h * 31 + x / y; h = h * 31 + x % y; h = h * 31 + Math.floorMod(x, y); h = h * 31 + Integer.divideUnsigned(x, y); h = h * 31 + Integer.remainderUnsigned(x, y); }
                if (a / b * b + a % b != a) System.out.println("law broken " + a + " " + b);
            }
            System.out.println(a + " " + h);
        }
        short s = -32768; byte b = -128; char c = 65535;
        System.out.println(s / -1 + " " + (short) (s / -1) + " " + (byte) (b / -1) + " " + c / -1 + " " + c % 100 + " " + (s %= 7) + " " + (b /= 3) + " " + (int) (c /= 256) + " " + 'z' % 'a');
    }
}
