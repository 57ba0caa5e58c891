/** Nested finally blocks are copied until the method is so long that jumps need four bytes. */
public class FatCode {
    static int count;
    static void tick(int n) { count += n; }

    static int run(int n) {
        int result = 0;
        for (int i = 0; i < 4; i++) {
            if (i == n) continue;
            try { tick(1); } finally {
            try { tick(2); } finally {
            try { tick(3); } finally {
            try { tick(4); } finally {
            try { tick(5); } finally {
            try { tick(6); } finally {
            try { tick(7); } finally {
            try { tick(8); } finally {
            try { tick(9); } finally {
            try { tick(10); } finally {
            try { tick(11); } finally {
            result += i * 3 + n; tick(result);
            }            }            }            }            }            }            }            }            }            }
            }
            if (result > 1000) break;
        }
        boolean big = result > 10;
        return big && n != 2 || result == 6 ? result : -result;
    }

    public static void main(String[] args) {
        for (int n = 0; n < 5; n++) System.out.println(run(n) + " " + count);
    }
}
