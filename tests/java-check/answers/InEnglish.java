// expect: assertion
// What is formatted in English is as it should be.
import java.util.Locale;

public class InEnglish {
    public static void main(String[] args) {
        assert String.format(Locale.US, "%.1f", 1.5).equals("1.5");
        assert String.format("%d", 12).equals("13"); // <- assertion
    }
}
