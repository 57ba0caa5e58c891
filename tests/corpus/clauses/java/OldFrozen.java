// expect: holds
import java.util.concurrent.atomic.AtomicReference;

/** What a final field refers to is seen as the constructor has left it. */
public class OldFrozen {
    static class Box {
        final int[] values = {1};
    }

    static final AtomicReference<Box> box = new AtomicReference<>();

    public static void main(String[] args) {
        new Thread(() -> box.setOpaque(new Box())).start();
        Box seen = box.getOpaque();
        assert seen == null || seen.values[0] == 1;
    }
}
