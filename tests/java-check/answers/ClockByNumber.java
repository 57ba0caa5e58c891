// expect: unknown
// A time decides by way of a number that was read from a text.
public class ClockByNumber {
    public static void main(String[] args) throws Exception {
        long begin = Long.parseLong(String.valueOf(System.currentTimeMillis()));
        if (begin < 0) {
            throw new IllegalStateException();
        }
    }
}
