import java.util.HashMap;
import java.util.Map;

/** Recursion of several shapes: mutual, deep, memoised, through interfaces. */
public class Recursion {
    static boolean even(int n) { return n == 0 || odd(n - 1); }
    static boolean odd(int n) { return n != 0 && even(n - 1); }
    static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
    static Map<Long, Long> memo = new HashMap<>();
    static long collatz(long n) { if (n == 1) return 0; Long k = memo.get(n); if (k == null) memo.put(n, k = 1 + collatz(n % 2 == 0 ? n / 2 : 3 * n + 1)); return k; }
    static long gcd(long a, long b) { return b == 0 ? a : gcd(b, a % b); }
    static double power(double x, int n) { return n == 0 ? 1 : n < 0 ? 1 / power(x, -n) : n % 2 == 0 ? power(x * x, n / 2) : x * power(x, n - 1); }
    static void permute(String pre, String rest, StringBuilder out) { if (rest.isEmpty()) out.append(pre).append(' '); for (int i = 0; i < rest.length(); i++) permute(pre + rest.charAt(i), rest.substring(0, i) + rest.substring(i + 1), out); }
    static int tak(int x, int y, int z) { return y >= x ? z : tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y)); }
    static long binomial(int n, int k) { return k == 0 || k == n ? 1 : binomial(n - 1, k - 1) + binomial(n - 1, k); }
    interface Fix { int apply(Fix self, int n); }
    static int man(int n) { return n == 0 ? 0 : n - woman(man(n - 1)); } static int woman(int n) { return n == 0 ? 1 : n - man(woman(n - 1)); }
    public static void main(String[] args) {
        System.out.println(even(1000) + " " + odd(999) + " " + depth(3000));
        long best = 0;
        for (long i = 1; i < 1000; i++) best = Math.max(best, collatz(i) * 10000 + i);
        System.out.println(best + " " + memo.size() + " " + gcd(1L << 40, 6L * 5 * 4 * 1024) + " " + power(1.5, 10) + " " + power(2, -3));
        StringBuilder b = new StringBuilder();
        permute("", "abcd", b);
        System.out.println(b);
        System.out.println(tak(8, 5, 2) + " " + binomial(14, 6) + " " + man(20) + woman(21));
        Fix f = (self, n) -> n < 2 ? n : self.apply(self, n - 1) + self.apply(self, n - 2);
        System.out.println(f.apply(f, 15));
    }
}
