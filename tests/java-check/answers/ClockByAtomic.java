// expect: unknown
// A time decides by way of an atomic variable.
public class ClockByAtomic {
    public static void main(String[] args) throws Exception {
        java.util.concurrent.atomic.AtomicLong last = new java.util.concurrent.atomic.AtomicLong();
        last.set(System.nanoTime());
        if (last.get() < 0) {
            throw new IllegalStateException();
        }
    }
}
