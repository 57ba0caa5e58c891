/** Floating-point kernels whose rounding must agree to the last bit. */
public class Matrix {
    static double[][] mul(double[][] a, double[][] b) { int n = a.length, m = b[0].length; double[][] c = new double[n][m]; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { double s = 0; for (int k = 0; k < b.length; k++) s += a[i][k] * b[k][j]; c[i][j] = s; } return c; }
    static double det(double[][] m) { int n = m.length; double d = 1; for (int i = 0; i < n; i++) { int p = i; for (int r = i; r < n; r++) if (Math.abs(m[r][i]) > Math.abs(m[p][i])) p = r; if (p != i) { double[] t = m[p]; m[p] = m[i]; m[i] = t; d = -d; } d *= m[i][i]; for (int r = i + 1; r < n; r++) { double f = m[r][i] / m[i][i]; for (int c = i; c < n; c++) m[r][c] -= f * m[i][c]; } } return d; }
    static long bits(double[][] m) { long h = 0; for (double[] r : m) for (double x : r) h = h * 31 + Double.doubleToLongBits(x); return h; }
    static int mandel(double cr, double ci) { double x = 0, y = 0; int n = 0; while (x * x + y * y < 4 && n < 50) { double t = x * x - y * y + cr; y = 2 * x * y + ci; x = t; n++; } return n; }
    public static void main(String[] args) {
        double[][] a = new double[12][12];
        for (int i = 0; i < 12; i++) for (int j = 0; j < 12; j++) a[i][j] = 1.0 / (i + j + 1) + (i == j ? 0.3 : 0);
        double[][] p = a;
        for (int i = 0; i < 5; i++) p = mul(p, a);
        System.out.println(bits(p) + " " + Double.doubleToLongBits(det(p)));
        StringBuilder art = new StringBuilder();
        for (double y = -1; y <= 1; y += 0.25) { for (double x = -2; x <= 0.6; x += 0.1) art.append(" .:*#".charAt(mandel(x, y) / 12)); art.append("|\n"); }
        System.out.print(art);
        double[] pos = {0, 1}, vel = {1, 0};
        for (int i = 0; i < 1000; i++) { double r = Math.sqrt(pos[0] * pos[0] + pos[1] * pos[1]), f = -1 / (r * r * r); for (int k = 0; k < 2; k++) { vel[k] += pos[k] * f * 0.01; pos[k] += vel[k] * 0.01; } }
        System.out.println(Double.doubleToLongBits(pos[0]) + " " + Double.doubleToLongBits(vel[1]));
        double e = 0, pi = 0, root = 1; float harmonic = 0;
        for (int i = 0; i < 1000; i++) { pi += (i % 2 == 0 ? 4.0 : -4.0) / (2 * i + 1); harmonic += 1f / (i + 1); }
        for (int i = 0; i < 30; i++) root = (root + 2 / root) / 2;
        System.out.println(Double.doubleToLongBits(pi) + " " + Float.floatToIntBits(harmonic) + " " + root);
        float fx = 0.1f; double dx = 0.1;
        for (int i = 0; i < 40; i++) { fx = 3.9f * fx * (1 - fx); dx = 3.9 * dx * (1 - dx); }
        System.out.println(Float.floatToIntBits(fx) + " " + Double.doubleToLongBits(dx));
    }
}
