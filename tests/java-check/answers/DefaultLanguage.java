// expect: unknown
// Each user has a language.
import java.util.Locale;

public class DefaultLanguage {
    public static void main(String[] args) {
        assert Locale.getDefault().getLanguage().equals("de");
    }
}
