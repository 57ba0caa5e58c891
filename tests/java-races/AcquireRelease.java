// expect: holds
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class AcquireRelease {
    static final VarHandle READY;
    static boolean ready;
    static int data;

    static {
        try {
            READY = MethodHandles.lookup()
                .findStaticVarHandle(AcquireRelease.class, "ready", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            data = 9;
            READY.setRelease(true);
        });
        other.start();
        if ((boolean) READY.getAcquire()) {
            assert data == 9;
        }
    }
}
