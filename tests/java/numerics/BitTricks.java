/** Bit counting, rotation, reversal and byte order. */
public class BitTricks {
    static int popcount(int x) { int n = 0; while (x != 0) { x &= x - 1; n++; } return n; }
    static int isqrt(long n) { long r = 0; for (long b = 1L << 30; b != 0; b >>= 1) { long t = r | b; if (t * t <= n) r = t; } return (int) r; }
    static long gray(long n) { return n ^ n >>> 1; }
    static long mulHigh(long a, long b) {
        long a1 = a >>> 32, a0 = a & 0xFFFFFFFFL, b1 = b >>> 32, b0 = b & 0xFFFFFFFFL, mid = a1 * b0 + (a0 * b0 >>> 32);
        return a1 * b1 + (mid >>> 32) + (a0 * b1 + (mid & 0xFFFFFFFFL) >>> 32);
    }

    public static void main(String[] args) {
        int[] is = {0, 1, -1, 8, 0x80000000, 0x12345678, 0xF0F0F0F0, 12345};
        for (int i : is) {
            System.out.println(Integer.bitCount(i) + " " + popcount(i) + " " + Integer.numberOfLeadingZeros(i) + " " + Integer.numberOfTrailingZeros(i) + " " + Integer.reverse(i) + " " + Integer.reverseBytes(i) + " " + Integer.rotateLeft(i, 5) + " " + Integer.rotateRight(i, 37) + " " + Integer.highestOneBit(i) + " " + Integer.lowestOneBit(i) + " " + Integer.signum(i));
            long l = i * 0x100000001L ^ (long) i << 16;
            System.out.println(Long.bitCount(l) + " " + Long.numberOfLeadingZeros(l) + " " + Long.numberOfTrailingZeros(l) + " " + Long.reverse(l) + " " + Long.reverseBytes(l) + " " + Long.rotateLeft(l, 13) + " " + Long.highestOneBit(l) + " " + Long.lowestOneBit(l) + " " + gray(l));
        }
        for (long n : new long[] {0, 1, 15, 16, 17, 1L << 60, 999999999999L}) System.out.print(isqrt(n) + " ");
        System.out.println();
        long a = 0x123456789ABCDEF0L, b = 0x0FEDCBA987654321L;
        System.out.println(mulHigh(a, b) + " " + Math.multiplyHigh(a, b) + " " + Math.multiplyHigh(-a, b) + " " + Math.multiplyHigh(Long.MIN_VALUE, Long.MIN_VALUE));
        long x = 88172645463325252L;
        for (int i = 0; i < 1000; i++) { x ^= x << 13; x ^= x >>> 7; x ^= x << 17; }
        System.out.println(x);
        int crc = ~0;
        for (byte c : "123456789".getBytes()) { crc ^= c; for (int k = 0; k < 8; k++) crc = (crc >>> 1) ^ (0xEDB88320 & -(crc & 1)); }
        System.out.println(Integer.toHexString(~crc));
        long fnv = 0xcbf29ce484222325L;
        for (char c : "hello".toCharArray()) { fnv ^= c; fnv *= 0x100000001b3L; }
        System.out.println(Long.toUnsignedString(fnv, 16));
        System.out.println(Character.reverseBytes('\u1234') + 0 + " " + Short.reverseBytes((short) 0x1280) + " " + (short) (0x1280 << 4) + " " + ((byte) 0xF0 >> 2) + " " + ((byte) 0xF0 >>> 2) + " " + (((byte) 0xF0 & 0xFF) >>> 2));
    }
}
