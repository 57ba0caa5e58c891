// expect: unknown
// Whether String.intern() gives the string itself depends on whether a literal was there before.
public class WhoseLiteral {
    static String literal() {
        return "the same";
    }

    public static void main(String[] args) throws InterruptedException {
        String own = new String(new char[] {'t', 'h', 'e', ' ', 's', 'a', 'm', 'e'});
        Thread other = new Thread(WhoseLiteral::literal);
        other.start();
        own.intern();
        other.join();
    }
}
