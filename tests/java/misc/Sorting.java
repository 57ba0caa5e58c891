import java.util.Arrays;

/** Sorting algorithms by hand, on the same pseudo-random data. */
public class Sorting {
    static int[] data(int n) { int[] a = new int[n]; int x = 7; for (int i = 0; i < n; i++) { x = x * 1103515245 + 12345; a[i] = (x >>> 8) % 1000; } return a; }
    static void quick(int[] a, int lo, int hi) { if (lo >= hi) return; int p = a[(lo + hi) >>> 1], i = lo, j = hi; while (i <= j) { while (a[i] < p) i++; while (a[j] > p) j--; if (i <= j) { int t = a[i]; a[i++] = a[j]; a[j--] = t; } } quick(a, lo, j); quick(a, i, hi); }
    static int[] merge(int[] a) { if (a.length < 2) return a; int[] l = merge(Arrays.copyOfRange(a, 0, a.length / 2)), r = merge(Arrays.copyOfRange(a, a.length / 2, a.length)), o = new int[a.length]; for (int i = 0, j = 0, k = 0; k < o.length; k++) o[k] = j >= r.length || i < l.length && l[i] <= r[j] ? l[i++] : r[j++]; return o; }
    static void heap(int[] a) { for (int i = a.length / 2; i-- > 0; ) sift(a, i, a.length); for (int n = a.length; n-- > 1; ) { int t = a[0]; a[0] = a[n]; a[n] = t; sift(a, 0, n); } }
    static void sift(int[] a, int i, int n) { for (int c; (c = 2 * i + 1) < n; i = c) { if (c + 1 < n && a[c + 1] > a[c]) c++; if (a[i] >= a[c]) return; int t = a[i]; a[i] = a[c]; a[c] = t; } }
    static void insertion(int[] a) { for (int i = 1; i < a.length; i++) { int x = a[i], j = i; while (j > 0 && a[j - 1] > x) a[j] = a[--j]; a[j] = x; } }
    static int[] radix(int[] a) { for (int s = 0; s < 16; s += 4) { int[] n = new int[17], o = new int[a.length]; for (int x : a) n[(x >> s & 15) + 1]++; for (int i = 0; i < 16; i++) n[i + 1] += n[i]; for (int x : a) o[n[x >> s & 15]++] = x; a = o; } return a; }
    static void shell(int[] a) { for (int g = a.length / 2; g > 0; g /= 2) for (int i = g; i < a.length; i++) for (int j = i; j >= g && a[j - g] > a[j]; j -= g) { a[j] ^= a[j - g]; a[j - g] ^= a[j]; a[j] ^= a[j - g]; } }
    static void bubble(int[] a) { boolean again; do { again = false; for (int i = 1; i < a.length; i++) if (a[i - 1] > a[i]) { int t = a[i]; a[i] = a[i - 1]; a[i - 1] = t; again = true; } } while (again); }
    public static void main(String[] args) {
        for (int n : new int[] {0, 1, 2, 17, 100}) {
            int[] want = data(n);
            Arrays.sort(want);
            int[][] got = new int[7][];
            quick(got[0] = data(n), 0, n - 1); got[1] = merge(data(n)); heap(got[2] = data(n)); insertion(got[3] = data(n)); got[4] = radix(data(n)); shell(got[5] = data(n)); bubble(got[6] = data(n));
            for (int[] g : got) System.out.print(Arrays.equals(g, want) + " ");
            System.out.println(n + " " + Arrays.hashCode(want));
        }
    }
}
