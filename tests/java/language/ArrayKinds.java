import java.util.Arrays;

/** Loads and stores of arrays of every element type, with bounds. */
public class ArrayKinds {
    static int bad;
    interface Body { void run(); }
    static void bounds(Body b) { try { b.run(); System.out.println("missed"); } catch (ArrayIndexOutOfBoundsException e) { bad++; } }
    public static void main(String[] args) {
        boolean[] z = new boolean[3]; byte[] b = new byte[3]; char[] c = new char[3]; short[] s = new short[3]; int[] i = new int[3]; long[] l = new long[3]; float[] f = new float[3]; double[] d = new double[3]; Object[] o = new Object[3];
        for (int n = 0; n < 3; n++) { int v = 100000 * n - 77777; z[n] = v > 0; b[n] = (byte) v; c[n] = (char) v; s[n] = (short) v; i[n] = v; l[n] = (long) v << 20; f[n] = v / 9f; d[n] = v / 9.0; o[n] = n == 1 ? null : n == 0 ? (Object) "s" : b; }
        o[2] = o;
        System.out.println(Arrays.toString(z) + Arrays.toString(b) + (int) c[0] + (int) c[1] + (int) c[2] + Arrays.toString(s) + Arrays.toString(i) + Arrays.toString(l) + Arrays.toString(f) + Arrays.toString(d) + (o[2] == o) + o[1]);
        z[1] ^= true; b[1] += 100; c[1]++; s[1]--; i[1] *= -3; l[1] /= 7; f[1] -= 0.5f; d[1] %= 10; o[0] += "t";
        System.out.println(z[1] + " " + b[1] + " " + (int) c[1] + " " + s[1] + " " + i[1] + " " + l[1] + " " + f[1] + " " + d[1] + " " + o[0]);
        bounds(() -> z[3] = true); bounds(() -> b[-1]++); bounds(() -> c[3] = 1); bounds(() -> s[Integer.MIN_VALUE] = 1); bounds(() -> i[3]--); bounds(() -> l[4] = 1); bounds(() -> f[-2] = 1); bounds(() -> d[99] += 1); bounds(() -> o[3] = null); bounds(() -> o[o.length].hashCode());
        System.out.println(bad);
        byte[] shared = {1, 2, 3};
        byte[] alias = shared;
        alias[0] = -1;
        System.out.println((shared[0] & 0xFF) + " " + shared.length + " " + new char[] {'a', 98, '\u0063'}[2] + " " + new long[] {'a', (byte) -1, 5}[1] + " " + new double[] {1, 2f, 3L}[2] + new int[] {1, 2, 3,}.length);
        int[] fib = new int[40];
        fib[0] = fib[1] = 1;
        for (int k = 2; k < fib.length; k++) fib[k] = fib[k - 1] + fib[k - 2];
        int p = 0;
        fib[p] = fib[++p] + fib[p++] * fib[p];
        System.out.println(fib[39] + " " + fib[0] + " " + p + " " + fib[fib.length - 1 - fib[3]]);
    }
}
