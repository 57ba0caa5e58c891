// expect: holds
// A field is read once.
public class NullAfterCheckMended {
    static String text = "x";

    public static void main(String[] args) {
        new Thread(() -> text = null).start();
        String seen = text;
        if (seen != null) {
            System.out.println(seen.length());
        }
    }
}
