// expect: unknown
// Each machine has a time zone.
import java.util.TimeZone;

public class DefaultZone {
    public static void main(String[] args) {
        assert TimeZone.getDefault().getRawOffset() == 3_600_000;
    }
}
