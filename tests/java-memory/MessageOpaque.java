// expect: assertion
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** One thread hands data over to another one by a flag. */
public class MessageOpaque {
    static int data;
    static boolean ready;
    static final VarHandle READY;

    static {
        try {
            READY = MethodHandles.lookup().findStaticVarHandle(MessageOpaque.class, "ready", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) {
        new Thread(() -> {
            data = 1;
            READY.setOpaque(true);
        }).start();
        if ((boolean) READY.getOpaque()) {
            assert data == 1 : "stale data";
        }
    }
}
