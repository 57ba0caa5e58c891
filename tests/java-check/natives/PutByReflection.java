// expect: assertion
// What Array.set puts into an array can be reached by whoever reaches the array.
import java.lang.reflect.Array;

public class PutByReflection {
    static final Object[] cells = new Object[1];
    int count;

    static void increment() {
        ((PutByReflection) cells[0]).count++;
    }

    public static void main(String[] args) throws InterruptedException {
        PutByReflection it = new PutByReflection();
        Array.set(cells, 0, it);
        Thread other = new Thread(PutByReflection::increment);
        other.start();
        increment();
        other.join();
        assert it.count == 2; // <- assertion
    }
}
