/** Small number theory with long arithmetic. */
public class Euler {
    static long modPow(long b, long e, long m) { long r = 1; for (b %= m; e > 0; e >>= 1, b = b * b % m) if ((e & 1) == 1) r = r * b % m; return r; }
    static int phi(int n) { int r = n; for (int p = 2; p * p <= n; p++) if (n % p == 0) { while (n % p == 0) n /= p; r -= r / p; } return n > 1 ? r - r / n : r; }
    public static void main(String[] args) {
        System.out.println(modPow(3, 1000000007L - 2, 1000000007L) + " " + modPow(2, 62, Long.MAX_VALUE) + " " + phi(360360) + " " + phi(97));
        long perfect = 0; for (int n = 2; n < 9000; n++) { int s = 1; for (int d = 2; d * d <= n; d++) if (n % d == 0) s += d + (d * d == n ? 0 : n / d); if (s == n) perfect = perfect * 10000 + n; }
        System.out.println(perfect);
        int digits = 0; for (long f = 1, i = 1; i <= 20; f *= ++i) for (long t = f; t > 0; t /= 10) digits += t % 10;
        System.out.println(digits);
    }
}
