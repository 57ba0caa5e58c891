import java.time.*;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

/** java.time with fixed values. */
public class Dates {
    public static void main(String[] args) {
        LocalDate d = LocalDate.of(2024, 2, 29);
        System.out.println(d + " " + d.plusYears(1) + " " + d.plusMonths(12) + " " + d.minusDays(60) + " " + d.getDayOfWeek() + d.getDayOfYear() + d.isLeapYear() + d.lengthOfMonth() + " " + d.withDayOfMonth(1) + d.with(TemporalAdjusters.lastDayOfYear()) + d.with(TemporalAdjusters.next(DayOfWeek.MONDAY)) + d.toEpochDay() + LocalDate.ofEpochDay(-1));
        System.out.println(ChronoUnit.DAYS.between(d, LocalDate.of(2025, 1, 1)) + " " + Period.between(d, LocalDate.of(2030, 12, 1)) + " " + d.isBefore(LocalDate.MAX) + d.compareTo(LocalDate.of(2024, 3, 1)) + d.hashCode());
        LocalDateTime t = LocalDateTime.of(2024, 12, 31, 23, 59, 58, 123456789);
        System.out.println(t + " " + t.plusSeconds(2) + " " + t.truncatedTo(ChronoUnit.MINUTES) + " " + t.format(DateTimeFormatter.ISO_LOCAL_DATE) + " " + t.format(DateTimeFormatter.ofPattern("yyyy/MM/dd HH-mm-ss.SSS")) + " " + t.toLocalTime().toNanoOfDay() + " " + LocalTime.of(5, 6) + LocalTime.MIDNIGHT.minusNanos(1));
        System.out.println(LocalDate.parse("2000-01-31").plusMonths(1) + " " + LocalDateTime.parse("2001-02-03T04:05") + " " + LocalTime.parse("10:11:12") + " " + Duration.ofSeconds(3661, 5) + " " + Duration.between(LocalTime.of(1, 0), LocalTime.of(3, 30)).toMinutes() + Duration.parse("PT1H30M").getSeconds() + " " + Period.parse("P1Y2M3D").getMonths() + Duration.ofMillis(-1));
        Instant i = Instant.ofEpochSecond(1700000000L, 42);
        System.out.println(i + " " + i.plusMillis(1) + " " + Instant.EPOCH + " " + i.atZone(ZoneOffset.UTC).getHour() + " " + OffsetDateTime.of(t, ZoneOffset.ofHours(2)).toInstant() + " " + ZonedDateTime.of(t, ZoneId.of("UTC")) + " " + i.toEpochMilli());
        for (String bad : new String[] {"2023-02-29", "nope", "2023-13-01"}) try { LocalDate.parse(bad); } catch (DateTimeParseException e) { System.out.println(e.getMessage()); }
        try { LocalDate.of(2023, 2, 29); } catch (DateTimeException e) { System.out.println(e.getMessage()); }
        System.out.println(YearMonth.of(2024, 2).atEndOfMonth() + " " + Year.isLeap(1900) + Month.JANUARY.minus(1) + DayOfWeek.MONDAY.plus(10) + " " + MonthDay.of(2, 29).isValidYear(2023));
        int fridays = 0;
        for (int y = 2000; y < 2010; y++) for (int m = 1; m <= 12; m++) if (LocalDate.of(y, m, 13).getDayOfWeek() == DayOfWeek.FRIDAY) fridays++;
        System.out.println(fridays + " " + Clock.fixed(i, ZoneOffset.UTC).instant().equals(i) + " " + LocalDate.now(Clock.fixed(i, ZoneOffset.UTC)));
    }
}
