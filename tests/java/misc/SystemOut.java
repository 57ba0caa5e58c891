//@ exit: 5
/** print and println of every type, on both streams; flush; status of exit. */
public class SystemOut {
    public static void main(String[] args) {
        System.out.print(true); System.out.print('c'); System.out.print(1); System.out.print(2L); System.out.print(3f); System.out.print(4.0); System.out.print(new char[] {'h', 'i'}); System.out.print("s"); System.out.print((Object) null); System.out.print((String) null);
        System.out.println();
        System.out.println(true); System.out.println('c'); System.out.println(1); System.out.println(2L); System.out.println(3f); System.out.println(4.0); System.out.println(new char[] {'h', 'i'}); System.out.println("s"); System.out.println((Object) "o");
        System.out.append('a').append("bcd", 1, 2).append(null).println();
        System.out.write('W'); System.out.write(new byte[] {'x', 'y', '\n'}, 0, 3); System.out.flush();
        System.out.printf("%s-%s%n", 1, 2).format("%d%n", 3);
        System.err.println("to stderr");
        System.err.printf("%5.2f|%n", 1.005);
        java.io.PrintStream old = System.out;
        java.io.ByteArrayOutputStream b = new java.io.ByteArrayOutputStream();
        System.setOut(new java.io.PrintStream(b));
        System.out.print("captured");
        System.setOut(old);
        System.out.println(b.toString().toUpperCase());
        System.out.println(System.out.checkError());
        System.out.print("no newline at the end");
        Runtime.getRuntime().exit(5);
    }
}
