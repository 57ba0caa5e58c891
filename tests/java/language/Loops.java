/** Labelled breaks and continues, through finally blocks and nested loops. */
public class Loops {
    static int steps;

    static int find(int[][] grid, int wanted) {
        int looked = 0;
        outer:
        for (int y = 0; y < grid.length; y++) {
            for (int x = 0; ; x++) {
                looked++;
                if (x == grid[y].length) continue outer;
                if (grid[y][x] < 0) break outer;
                if (grid[y][x] == wanted) return looked * 100 + y * 10 + x;
            }
        }
        return -looked;
    }

    static String finals() {
        StringBuilder b = new StringBuilder();
        out:
        for (int i = 0; i < 5; i++) {
            try {
                for (int j = 0; j < 5; j++) {
                    try {
                        if (j == i) continue out;
                        if (i + j == 6) break out;
                        b.append(i).append(j);
                    } finally {
                        b.append('f');
                        if (i == 3 && j == 1) break;
                    }
                }
            } finally {
                b.append('F');
            }
        }
        return b.toString();
    }

    public static void main(String[] args) {
        int[][] grid = {{1, 2, 3}, {}, {4, 5}, {6, -1, 7}, {8}};
        for (int w : new int[] {1, 3, 5, 6, 7, 8}) System.out.print(find(grid, w) + " ");
        System.out.println();
        System.out.println(finals());
        int n = 27;
        do {
            steps++;
            n = (n & 1) == 0 ? n / 2 : 3 * n + 1;
        } while (n != 1);
        System.out.println(steps);
        block: {
            if (steps > 100) break block;
            System.out.println("not reached");
        }
        for (int i = 0, j = 10; i < j; i += 2, j--) System.out.print(i + ":" + j + " ");
        System.out.println();
        long total = 0;
        for (long i = Integer.MAX_VALUE - 2L; i <= Integer.MAX_VALUE + 2L; i++) total += i;
        System.out.println(total);
        int count = 0;
        for (byte b = 120; b > 0; b++) count++;
        System.out.println(count);
        for (float f = 0; f < 1; f += 0.1f) count++;
        for (double d = 0; d != 1.0 && d < 2; d += 0.1) count++;
        System.out.println(count);
        for (char c = 'z'; c >= 'p'; c -= 3) System.out.print(c);
        System.out.println();
        while (true) {
            if (--count < 0) break;
            if (count % 2 == 0) continue;
            count -= 3;
        }
        System.out.println(count);
        for (String s : java.util.List.of("x", "y")) for (char c : s.toCharArray()) System.out.print(c + s);
        System.out.println();
    }
}
