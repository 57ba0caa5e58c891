// expect: unknown
// A time that is compared decides what happens.
public class ClockCompared {
    public static void main(String[] args) throws Exception {
        long begin = System.currentTimeMillis();
        if (System.currentTimeMillis() > begin) {
            throw new IllegalStateException();
        }
    }
}
