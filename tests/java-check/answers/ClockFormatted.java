// expect: holds
// What is made of times, be it new or there once, decides nothing while it is kept and printed.
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

public class ClockFormatted {
    static final List<Object> seen = new ArrayList<>();

    public static void main(String[] args) {
        Instant begin = Instant.now();
        DayOfWeek day = LocalDate.now(ZoneOffset.UTC).getDayOfWeek();
        seen.add(day);
        seen.add(Duration.between(begin, Instant.now()));
        StringBuilder line = new StringBuilder();
        line.append("on ").append(day).append(' ').append(day.getValue());
        line.append(" after ").append(Duration.between(begin, Instant.now()));
        System.out.println(line);
        assert seen.size() == 2;
    }
}
