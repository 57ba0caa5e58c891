// expect: unknown
// A time decides by way of a text.
public class ClockByText {
    public static void main(String[] args) throws Exception {
        String text = "at " + System.nanoTime();
        if (text.endsWith("0")) {
            System.out.println(text);
        } else {
            throw new IllegalStateException();
        }
    }
}
