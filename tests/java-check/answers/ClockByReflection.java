// expect: unknown
// A time decides by way of reflection.
public class ClockByReflection {
    public static void main(String[] args) throws Exception {
        Times times = new Times();
        Times.class.getField("last").setLong(times, System.nanoTime());
        if ((Boolean) Times.class.getMethod("isEarly", long.class).invoke(times, times.last)) {
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
