//@ exit: 1
/** The main class itself fails to initialise. */
public class UncaughtInit {
    static { System.out.println("initialising"); }
    static int[] table = new int[2];
    static int x = fill(3);
    static int fill(int n) {
        for (int i = 0; i < n; i++)
            table[i] = i;
        return n;
    }
    public static void main(String[] args) {
        System.out.println("never");
    }
}
