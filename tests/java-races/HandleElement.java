// expect: holds
// race: an element of int[] 13 write, 15 read
// An element belongs to the program if it accesses it through a handle.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class HandleElement {
    static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);
    static final int[] VALUES = new int[2];

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            ELEMENT.set(VALUES, 1, 5); });
        other.start();
        int seen = (int) ELEMENT.get(VALUES, 1);
        assert seen == 0 || seen == 5;
    }
}
