import java.util.Arrays;

/** Arrays of several dimensions: ragged, empty, of all element types, cloned. */
public class MultiArrays {
    static int calls;
    static int size(int n) { calls = calls * 10 + n; return n; }

    public static void main(String[] args) {
        int[][][] cube = new int[size(2)][size(3)][size(4)];
        cube[1][2][3] = 42;
        System.out.println(Arrays.deepToString(cube) + " " + calls);
        long[][][] partial = new long[2][3][];
        System.out.println(partial[1][2] == null ? "null row" : "row");
        partial[1][2] = new long[] {1L << 40};
        System.out.println(partial[1][2][0]);
        double[][] ragged = {{1}, {}, {2.5, -0.0}, null};
        System.out.println(Arrays.deepToString(ragged));
        System.out.println(new int[0][5].length + " " + new int[3][0][7][1].length + " " + new int[0][][].getClass().getName());
        String[][] names = new String[2][2];
        Object[] asObjects = names;
        asObjects[0] = new String[] {"replaced"};
        System.out.println(Arrays.deepToString(names));
        try {
            asObjects[1] = new Object[1];
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        }
        try {
            int[][] bad = new int[2][size(-1) - 0];
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        try {
            int[][] zero = new int[0][size(-3)];
        } catch (NegativeArraySizeException e) {
            System.out.println("even with zero rows: " + e.getMessage());
        }
        int[][] copy = cube[1].clone();
        copy[0][0] = 9;
        copy[1] = new int[] {7};
        System.out.println(cube[1][0][0] + " " + cube[1][1].length + " " + copy.getClass().getSimpleName());
        boolean[][] bits = new boolean[2][3];
        bits[1][1] = !bits[0][0];
        char[][] letters = {"ab".toCharArray(), {'c'}};
        byte[][] bytes = {{-1, (byte) 255}, {127}};
        short[][] shorts = new short[1][1];
        float[][] floats = {{1.5f}};
        shorts[0][0]--;
        bytes[1][0]++;
        System.out.println(bits[1][1] + " " + letters[0][1] + letters[1][0] + " " + bytes[0][1] + bytes[1][0] + " " + shorts[0][0] + " " + floats[0][0]);
        Object o = new int[2][2];
        System.out.println((o instanceof Object[]) + " " + (o instanceof int[][]) + " " + (o instanceof Cloneable) + " " + (o instanceof Object[][]) + " " + (((Object[]) o)[0] instanceof java.io.Serializable));
        int[] a[] = {{3}, {4}}, b = {5};
        System.out.println(a[1][0] + b[0]);
        Object[] self = new Object[1];
        self[0] = self;
        System.out.println(Arrays.deepToString(self) + " " + (self == self[0]));
        int[][] pascal = new int[8][];
        for (int i = 0; i < 8; i++) {
            pascal[i] = new int[i + 1];
            for (int j = 0; j <= i; j++) pascal[i][j] = j == 0 || j == i ? 1 : pascal[i - 1][j - 1] + pascal[i - 1][j];
        }
        System.out.println(Arrays.toString(pascal[7]) + new int[1][1][1].getClass());
    }
}
