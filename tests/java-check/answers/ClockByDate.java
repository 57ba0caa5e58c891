// expect: unknown
// A time decides by way of objects of the library.
public class ClockByDate {
    public static void main(String[] args) throws Exception {
        java.time.Instant begin = java.time.Instant.now();
        if (java.time.Instant.now().isAfter(begin)) {
            throw new IllegalStateException();
        }
    }
}
