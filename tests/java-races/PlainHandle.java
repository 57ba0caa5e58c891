// expect: holds
// race: PlainHandle.ready 21 write, 24 read
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class PlainHandle {
    static final VarHandle READY;
    static volatile boolean ready;

    static {
        try {
            READY = MethodHandles.lookup()
                .findStaticVarHandle(PlainHandle.class, "ready", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            ready = true;
        });
        other.start();
        boolean seen = (boolean) READY.get();
        assert seen || !seen;
    }
}
