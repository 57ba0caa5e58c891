import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** java.util.Arrays: sorting of every type, searching, filling, comparing, hashing. */
public class ArraysUtility {
    public static void main(String[] args) {
        long seed = 1;
        int[] is = new int[700]; double[] ds = new double[300]; byte[] bs = new byte[100]; Integer[] boxes = new Integer[400]; String[] ss = new String[60]; char[] cs = new char[50]; long[] ls = new long[70];
        for (int i = 0; i < 700; i++) {
            seed = seed * 25214903917L + 11 & (1L << 48) - 1;
            int r = (int) (seed >>> 16);
            is[i] = r; ds[i % 300] = r / 1e5; bs[i % 100] = (byte) r; boxes[i % 400] = r % 1000; ss[i % 60] = Integer.toString(r, 36); cs[i % 50] = (char) ('a' + (r >>> 1) % 26); ls[i % 70] = (long) r * r;
        }
        ds[3] = -0.0; ds[4] = 0.0; ds[5] = Double.NaN; ds[6] = Double.NEGATIVE_INFINITY;
        Arrays.sort(is); Arrays.sort(ds); Arrays.sort(bs); Arrays.sort(boxes, Collections.reverseOrder()); Arrays.sort(ss); Arrays.sort(cs); Arrays.sort(ls, 10, 60);
        System.out.println(Arrays.hashCode(is) + " " + Arrays.hashCode(ds) + " " + Arrays.hashCode(bs) + " " + Arrays.hashCode(boxes) + " " + Arrays.hashCode(ss) + " " + new String(cs) + " " + Arrays.hashCode(ls));
        System.out.println(ds[0] + " " + ds[299] + " " + Arrays.binarySearch(ds, 0.0) + " " + Arrays.binarySearch(ds, -0.0) + " " + Arrays.binarySearch(is, is[333]) + " " + Arrays.binarySearch(is, 5) + " " + Arrays.binarySearch(ss, "m") + " " + Arrays.binarySearch(new int[0], 1));
        for (int i = 1; i < 700; i++) if (is[i - 1] > is[i]) System.out.println("unsorted");
        record P(int k, int n) { }
        P[] ps = new P[100];
        for (int i = 0; i < 100; i++) ps[i] = new P(i * 7 % 5, i);
        Arrays.sort(ps, (a, b) -> a.k - b.k);
        for (int i = 1; i < 100; i++) if (ps[i - 1].k == ps[i].k && ps[i - 1].n > ps[i].n) System.out.println("unstable");
        int[] f = new int[6];
        Arrays.fill(f, 2, 4, 9);
        Arrays.setAll(f, i -> f[i] + i);
        Arrays.parallelPrefix(f, Integer::sum);
        System.out.println(Arrays.toString(f) + Arrays.toString(Arrays.copyOf(f, 8)) + Arrays.toString(Arrays.copyOfRange(f, 4, 9)) + Arrays.equals(f, f.clone()) + Arrays.mismatch(f, new int[] {0, 1, 3}) + Arrays.compare(new int[] {1, 2}, new int[] {1, 3}) + Arrays.stream(f, 1, 4).sum());
        System.out.println(Arrays.deepEquals(new Object[] {new int[] {1}, "x"}, new Object[] {new int[] {1}, "x"}) + " " + Arrays.equals(new Object[] {new int[] {1}}, new Object[] {new int[] {1}}) + " " + Arrays.deepHashCode(new Object[] {new int[] {1, 2}, null, List.of("a")}) + " " + Arrays.asList(1, null, "x") + Arrays.toString((int[]) null) + Arrays.toString(new boolean[2]) + Arrays.toString(new char[] {'h', 'i'}));
        String[] copy = Arrays.copyOf(new Object[] {"a", "b"}, 3, String[].class);
        System.out.println(copy.getClass().getSimpleName() + copy.length);
        try { Arrays.copyOf(new Object[] {1}, 1, String[].class); } catch (ArrayStoreException e) { System.out.println("store"); }
        try { Arrays.sort(new Object[] {1, "a"}); } catch (ClassCastException e) { System.out.println("cast"); }
        try { Arrays.fill(f, 3, 9, 0); } catch (ArrayIndexOutOfBoundsException e) { System.out.println(e.getMessage()); }
        int[] overlap = {1, 2, 3, 4, 5, 6};
        System.arraycopy(overlap, 0, overlap, 2, 4);
        System.out.println(Arrays.toString(overlap));
    }
}
