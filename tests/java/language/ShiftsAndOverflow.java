/** Integer arithmetic wraps, shift distances are masked, division truncates. */
public class ShiftsAndOverflow {
    static final int[] INTS = {0, 1, -1, 2, -2, 7, -7, 31, 32, 33, 63, 64, Integer.MAX_VALUE, Integer.MIN_VALUE, 0x55555555};
    static final long[] LONGS = {0, 1, -1, 3, -3, 63, 64, 65, 1L << 31, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE, 0x5555555555555555L};

    public static void main(String[] args) {
        int check = 0;
        for (int a : INTS) {
            for (int b : INTS) {
                check = check * 31 + (a << b);
                check = check * 31 + (a >> b);
                check = check * 31 + (a >>> b);
                check = check * 31 + (a * b) + (a + b) + (a - b);
                check ^= (a & b) + (a | b) - (a ^ b) + ~a + -b;
                if (b != 0) {
                    check = check * 17 + a / b;
                    check = check * 17 + a % b;
                }
            }
        }
        System.out.println("ints " + check);
        long total = 0;
        for (long a : LONGS) {
            for (long b : LONGS) {
                total = total * 31 + (a << b);
                total = total * 31 + (a >> b);
                total = total * 31 + (a >>> b);
                total = total * 31 + (a << (int) b) + (a * b) + (a - b);
                total ^= (a & b) + (a | b) - (a ^ b) + ~a + -b;
                if (b != 0) {
                    total = total * 17 + a / b;
                    total = total * 17 + a % b;
                }
                total += Long.compare(a, b) + (a < b ? 1 : 0) + (a >= b ? 2 : 0) + (a == b ? 4 : 0);
            }
        }
        System.out.println("longs " + total);
        System.out.println(Integer.MIN_VALUE / -1 + " " + Integer.MIN_VALUE % -1);
        System.out.println(Long.MIN_VALUE / -1 + " " + Long.MIN_VALUE % -1);
        System.out.println((-7 / 2) + " " + (-7 % 2) + " " + (7 / -2) + " " + (7 % -2) + " " + (-7 >> 1) + " " + (-7 >>> 28));
        int one = 1;
        System.out.println((one << 35) + " " + (one << -1) + " " + (1L << 67) + " " + (-1L >>> 63) + " " + (-1 >>> 0));
        System.out.println(-Integer.MIN_VALUE + " " + Math.abs(Integer.MIN_VALUE) + " " + -Long.MIN_VALUE);
        int i = Integer.MAX_VALUE;
        i++;
        System.out.println(i + " " + i-- + " " + i);
        i += 1000;
        i -= 40000;
        System.out.println(i);
    }
}
