/** Integer arithmetic in a loop: 17 bytecodes for each iteration. */
public class Loops {
    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        int x = 1;
        for (int i = 0; i < count; i++) {
            x = x * 31 + i;
            x ^= x >>> 7;
        }
        System.out.println(x);
    }
}
