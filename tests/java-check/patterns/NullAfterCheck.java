// expect: exception
// A field is looked at twice: it is null the second time.
public class NullAfterCheck {
    static String text = "x";

    public static void main(String[] args) {
        new Thread(() -> text = null).start();
        if (text != null) {
            System.out.println(text.length()); // <- exception
        }
    }
}
