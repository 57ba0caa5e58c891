// expect: assertion
// java.lang.reflect.Array accesses elements as instructions do.
import java.lang.reflect.Array;

public class ElementByReflection {
    static final int[] cells = new int[1];

    static void increment() {
        Array.setInt(cells, 0, Array.getInt(cells, 0) + 1);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(ElementByReflection::increment);
        other.start();
        increment();
        other.join();
        assert cells[0] == 2; // <- assertion
    }
}
