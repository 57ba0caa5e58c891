// expect: holds
// Double-checked locking with an acquire and a release: threads meet at one variable only.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class DoubleCheckedAcquire {
    static final VarHandle INSTANCE;
    static int[] instance;

    static {
        try {
            INSTANCE = MethodHandles.lookup()
                .findStaticVarHandle(DoubleCheckedAcquire.class, "instance", int[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static int[] get() {
        int[] found = (int[]) INSTANCE.getAcquire();
        if (found == null) {
            synchronized (DoubleCheckedAcquire.class) {
                found = (int[]) INSTANCE.getAcquire();
                if (found == null) {
                    found = new int[] {7};
                    INSTANCE.setRelease(found);
                }
            }
        }
        return found;
    }

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            assert get()[0] == 7;
        });
        other.start();
        assert get()[0] == 7;
    }
}
