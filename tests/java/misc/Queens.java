/** Backtracking: queens, sudoku by bits, knight's tours, subset sums. */
public class Queens {
    static int queens(int n, int row, int cols, int d1, int d2) { if (row == n) return 1; int c = 0; for (int free = ~(cols | d1 | d2) & (1 << n) - 1; free != 0; free &= free - 1) { int b = free & -free; c += queens(n, row + 1, cols | b, (d1 | b) << 1, (d2 | b) >> 1); } return c; }
    static boolean solve(int[] g, int[] r, int[] c, int[] b, int at) {
        while (at < 81 && g[at] != 0) at++;
        if (at == 81) return true;
        int y = at / 9, x = at % 9, k = y / 3 * 3 + x / 3;
        for (int free = ~(r[y] | c[x] | b[k]) & 0x3FE; free != 0; free &= free - 1) { int bit = free & -free; g[at] = Integer.numberOfTrailingZeros(bit); r[y] |= bit; c[x] |= bit; b[k] |= bit; if (solve(g, r, c, b, at + 1)) return true; r[y] ^= bit; c[x] ^= bit; b[k] ^= bit; }
        g[at] = 0;
        return false;
    }
    static int subsets(int[] a, int i, int left) { return left == 0 ? 1 : i == a.length || left < 0 ? 0 : subsets(a, i + 1, left - a[i]) + subsets(a, i + 1, left); }
    static int moves; static void hanoi(int n, char a, char b, char c) { if (n == 0) return; hanoi(n - 1, a, c, b); moves = moves * 3 + a - c; hanoi(n - 1, b, a, c); }
    public static void main(String[] args) {
        for (int n = 1; n <= 7; n++) System.out.print(queens(n, 0, 0, 0, 0) + " ");
        System.out.println();
        String puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        int[] g = new int[81], r = new int[9], c = new int[9], b = new int[9];
        for (int i = 0; i < 81; i++) if (puzzle.charAt(i) != '.') { g[i] = puzzle.charAt(i) - '0'; int bit = 1 << g[i]; r[i / 9] |= bit; c[i % 9] |= bit; b[i / 27 * 3 + i % 9 / 3] |= bit; }
        System.out.println(solve(g, r, c, b, 0));
        for (int i = 0; i < 81; i++) System.out.print(g[i] + (i % 9 == 8 ? "\n" : ""));
        System.out.println(subsets(new int[] {3, 34, 4, 12, 5, 2, 7, 8}, 0, 19));
        hanoi(8, 'a', 'b', 'c');
        System.out.println(moves);
    }
}
