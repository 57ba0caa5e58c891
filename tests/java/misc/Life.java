/** The game of life, a flood fill, run-length coding and string edit distance. */
public class Life {
    static boolean[][] step(boolean[][] g) { int n = g.length; boolean[][] r = new boolean[n][n]; for (int y = 0; y < n; y++) for (int x = 0; x < n; x++) { int c = 0; for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) if ((dx != 0 || dy != 0) && g[(y + dy + n) % n][(x + dx + n) % n]) c++; r[y][x] = c == 3 || c == 2 && g[y][x]; } return r; }
    static int fill(char[][] m, int y, int x) { if (y < 0 || x < 0 || y >= m.length || x >= m[y].length || m[y][x] != '.') return 0; m[y][x] = '#'; return 1 + fill(m, y + 1, x) + fill(m, y - 1, x) + fill(m, y, x + 1) + fill(m, y, x - 1); }
    static String rle(String s) { StringBuilder b = new StringBuilder(); for (int i = 0, j; i < s.length(); i = j) { for (j = i; j < s.length() && s.charAt(j) == s.charAt(i); j++); b.append(j - i).append(s.charAt(i)); } return b.toString(); }
    static int edit(String a, String b) { int[] p = new int[b.length() + 1]; for (int j = 0; j < p.length; j++) p[j] = j; for (int i = 1; i <= a.length(); i++) { int diag = p[0]; p[0] = i; for (int j = 1; j < p.length; j++) { int t = p[j]; p[j] = Math.min(Math.min(p[j], p[j - 1]) + 1, diag + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1)); diag = t; } } return p[b.length()]; }
    static String lcs(String a, String b) { String[][] t = new String[a.length() + 1][b.length() + 1]; for (int i = 0; i <= a.length(); i++) for (int j = 0; j <= b.length(); j++) t[i][j] = i == 0 || j == 0 ? "" : a.charAt(i - 1) == b.charAt(j - 1) ? t[i - 1][j - 1] + a.charAt(i - 1) : t[i - 1][j].length() >= t[i][j - 1].length() ? t[i - 1][j] : t[i][j - 1]; return t[a.length()][b.length()]; }
    public static void main(String[] args) {
        boolean[][] g = new boolean[10][10];
        for (int[] c : new int[][] {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}, {6, 5}, {6, 6}, {6, 7}}) g[c[0]][c[1]] = true;
        for (int i = 0; i < 20; i++) g = step(g);
        StringBuilder b = new StringBuilder();
        for (boolean[] r : g) { for (boolean c : r) b.append(c ? 'O' : '.'); b.append('\n'); }
        System.out.print(b);
        System.out.println(rle(b.toString().replace("\n", "")));
        char[][] m = {"..#..".toCharArray(), ".##..".toCharArray(), "#...#".toCharArray()};
        System.out.println(fill(m, 0, 0) + " " + fill(m, 0, 3) + " " + fill(m, 2, 2) + new String(m[2]));
        System.out.println(edit("kitten", "sitting") + " " + edit("", "abc") + " " + edit("same", "same") + " " + lcs("AGGTAB", "GXTXAYB"));
    }
}
