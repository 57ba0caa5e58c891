// expect: assertion
// Array.newInstance reads an array of lengths that others may write.
import java.lang.reflect.Array;

public class SharedLengths {
    static final int[] lengths = {1, 1};

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> lengths[0] = 2);
        other.start();
        int[][] made = (int[][]) Array.newInstance(int.class, lengths);
        other.join();
        assert made.length == 1; // <- assertion
    }
}
