// expect: holds
// A weak compareAndSet is tried until it succeeds.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class HandleWeak {
    static long total;
    static final VarHandle TOTAL;

    static {
        try {
            TOTAL = MethodHandles.lookup().findStaticVarHandle(HandleWeak.class, "total", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void add(long amount) {
        long old;
        do {
            old = (long) TOTAL.getVolatile();
        } while (!TOTAL.weakCompareAndSet(old, old + amount));
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> add(1));
        other.start();
        add(2);
        other.join();
        assert total == 3;
    }
}
