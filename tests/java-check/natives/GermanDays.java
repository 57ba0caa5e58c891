// expect: unknown
// Only the data of English are there: what days are called elsewhere proves nothing.
import java.time.DayOfWeek;
import java.time.format.TextStyle;
import java.util.Locale;

public class GermanDays {
    public static void main(String[] args) {
        String day = DayOfWeek.MONDAY.getDisplayName(TextStyle.FULL, Locale.GERMAN);
        assert !day.equals("Montag");
    }
}
