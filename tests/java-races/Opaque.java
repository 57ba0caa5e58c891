// expect: assertion
// race: Opaque.data 22 write, 26 read
// Opaque accesses order nothing but themselves.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class Opaque {
    static final VarHandle READY;
    static boolean ready;
    static int data;

    static {
        try {
            READY = MethodHandles.lookup().findStaticVarHandle(Opaque.class, "ready", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            data = 9;
            READY.setOpaque(true);
        });
        other.start();
        int seen = (boolean) READY.getOpaque() ? data : 9;
        assert seen == 9;
    }
}
