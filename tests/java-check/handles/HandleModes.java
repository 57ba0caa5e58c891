// expect: holds
// Release and acquire: the data is there when the flag is.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class HandleModes {
    static int data;
    static boolean isReady;
    static final VarHandle READY;

    static {
        try {
            READY = MethodHandles.lookup().findStaticVarHandle(HandleModes.class, "isReady", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) {
        new Thread(() -> {
            data = 7;
            READY.setRelease(true);
        }).start();
        if ((boolean) READY.getAcquire()) {
            assert data == 7;
        }
    }
}
