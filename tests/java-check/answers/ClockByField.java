// expect: unknown
// A time decides by way of a field, an array and a method.
public class ClockByField {
    public static void main(String[] args) throws Exception {
        Times times = new Times();
        times.all[1] = System.nanoTime();
        times.last = times.all[1];
        if (times.get() == 0) {
            throw new IllegalStateException();
        }
    }

    public static class Times {
        public final long[] all = new long[2];
        public long last;

        public long get() {
            return last;
        }

        public boolean isEarly(long time) {
            return time < 0;
        }
    }
}
