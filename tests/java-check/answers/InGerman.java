// expect: unknown
// Data of most locales are not there, so that nothing is proved with them.
import java.util.Locale;

public class InGerman {
    public static void main(String[] args) {
        assert String.format(Locale.GERMANY, "%.1f", 1.5).length() == 3;
    }
}
