// expect: holds
// getAndAdd through a VarHandle.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class HandleAdd {
    int count;
    static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(HandleAdd.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        HandleAdd it = new HandleAdd();
        Thread other = new Thread(() -> COUNT.getAndAdd(it, 1));
        other.start();
        int seen = (int) COUNT.getAndAdd(it, 1);
        other.join();
        assert it.count == 2 && seen <= 1;
    }
}
