//@ exit: 255
/** The exit status is taken modulo 256. */
public class ExitCodes {
    public static void main(String[] args) { System.out.println("leaving with -1"); System.exit(-1); }
}
