// expect: holds
// Each slot of an AtomicReferenceArray is claimed once.
import java.util.concurrent.atomic.AtomicReferenceArray;

public class ReferenceArray {
    static final AtomicReferenceArray<String> slots = new AtomicReferenceArray<>(2);

    static int claim(String name) {
        for (int i = 0; i < slots.length(); i++) {
            if (slots.compareAndSet(i, null, name)) return i;
        }
        return -1;
    }

    public static void main(String[] args) throws InterruptedException {
        int[] place = new int[1];
        Thread other = new Thread(() -> place[0] = claim("b"));
        other.start();
        int mine = claim("a");
        other.join();
        assert mine + place[0] == 1;
    }
}
