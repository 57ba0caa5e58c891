// expect: unknown
// Names of languages are data of a locale, too.
import java.util.Locale;

public class FrenchNames {
    public static void main(String[] args) {
        assert !Locale.FRENCH.getDisplayLanguage(Locale.FRENCH).startsWith("fran");
    }
}
