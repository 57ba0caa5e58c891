/** Reads and writes of fields of every type, static and not, through null-checked chains. */
public class FieldKinds {
    boolean z; byte b; char c; short s; int i; long l; float f; double d; Object o;
    static boolean sz; static byte sb; static char sc; static short ss; static int si; static long sl; static float sf; static double sd; static Object so;
    FieldKinds next;
    void set(int n) { z = n % 2 == 1; b = (byte) n; c = (char) n; s = (short) n; i = n; l = n * 10000000000L; f = n / 3f; d = n / 7.0; o = "n" + n; }
    static void setAll(int n) { sz = n % 2 == 1; sb = (byte) n; sc = (char) n; ss = (short) n; si = n; sl = n * 10000000000L; sf = n / 3f; sd = n / 7.0; so = "n" + n; }
    String show() { return z + " " + b + " " + (int) c + " " + s + " " + i + " " + l + " " + f + " " + d + " " + o; }
    static String showAll() { return sz + " " + sb + " " + (int) sc + " " + ss + " " + si + " " + sl + " " + sf + " " + sd + " " + so; }
    public static void main(String[] args) {
        FieldKinds k = new FieldKinds();
        k.next = new FieldKinds();
        k.next.next = k;
        for (int n : new int[] {0, 1, 129, -70000, Integer.MAX_VALUE}) {
            k.set(n); setAll(n + 1);
            k.next.next.next.set(~n);
            System.out.println(k.show() + "\n" + k.next.show() + "\n" + showAll());
        }
        k.z |= true; k.b <<= 1; k.c ^= 0x55; k.s -= 9; k.i %= 7; k.l >>>= 3; k.f += 1; k.d /= 3; k.o += "!";
        sz &= !k.z; sb |= 0x70; sc /= 3; ss *= 3; si >>= 2; sl ^= -1; sf %= 2; sd -= 1e300; so = k.o;
        System.out.println(k.show() + "\n" + showAll());
    }
}
