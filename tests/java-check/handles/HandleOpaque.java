// expect: assertion
// Opaque reads and writes do not make an addition atomic.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class HandleOpaque {
    static int count;
    static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findStaticVarHandle(HandleOpaque.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static void add() {
        COUNT.setOpaque((int) COUNT.getOpaque() + 1);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(HandleOpaque::add);
        other.start();
        add();
        other.join();
        assert count == 2; // <- assertion
    }
}
