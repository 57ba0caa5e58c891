// expect: holds
// getAndBitwiseOr through a VarHandle keeps the bits of both threads.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class HandleBits {
    static int bits;
    static final VarHandle BITS;

    static {
        try {
            BITS = MethodHandles.lookup().findStaticVarHandle(HandleBits.class, "bits", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> BITS.getAndBitwiseOr(1));
        other.start();
        BITS.getAndBitwiseOr(2);
        other.join();
        assert bits == 3;
    }
}
