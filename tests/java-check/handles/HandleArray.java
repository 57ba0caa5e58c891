// expect: holds
// compareAndExchange of an element through a VarHandle: one thread sees the old value.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class HandleArray {
    static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);

    public static void main(String[] args) throws InterruptedException {
        int[] slots = new int[2];
        int[] seen = new int[1];
        Thread other = new Thread(() -> seen[0] = (int) ELEMENT.compareAndExchange(slots, 1, 0, 5));
        other.start();
        int mine = (int) ELEMENT.compareAndExchange(slots, 1, 0, 6);
        other.join();
        assert (mine == 0) != (seen[0] == 0) && slots[1] == (mine == 0 ? 6 : 5);
    }
}
