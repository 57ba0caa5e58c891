// expect: holds
// The data of English are those of every JVM.
import java.time.DayOfWeek;
import java.time.format.TextStyle;
import java.util.Locale;

public class EnglishDays {
    public static void main(String[] args) {
        String day = DayOfWeek.MONDAY.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
        assert day.equals("Monday");
        assert Locale.FRENCH.getDisplayLanguage(Locale.ENGLISH).equals("French");
    }
}
