// expect: holds
// Later versions of the JDK walk the stack to warn of memory that is accessed by its offset.
import java.lang.reflect.Field;
import sun.misc.Unsafe;

public class WarnedAbout {
    volatile int count;

    public static void main(String[] args) throws Exception {
        Field field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Unsafe unsafe = (Unsafe) field.get(null);
        WarnedAbout it = new WarnedAbout();
        long offset = unsafe.objectFieldOffset(WarnedAbout.class.getDeclaredField("count"));
        assert unsafe.compareAndSwapInt(it, offset, 0, 5) && it.count == 5;
    }
}
