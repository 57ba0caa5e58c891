// expect: holds
// race: MixedUnderLocks.ready 21 write, 25 read
// A volatile write under a lock, and a plain read under another one.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class MixedUnderLocks {
    static final VarHandle READY;
    static volatile boolean ready;

    static {
        try {
            READY = MethodHandles.lookup()
                .findStaticVarHandle(MixedUnderLocks.class, "ready", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static synchronized void set() {
        ready = true;
    }

    static boolean get() {
        synchronized (READY) { return (boolean) READY.get(); }
    }

    public static void main(String[] args) {
        new Thread(MixedUnderLocks::set).start();
        get();
    }
}
