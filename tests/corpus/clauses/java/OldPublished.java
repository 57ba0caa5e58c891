// expect: fault
import java.util.concurrent.atomic.AtomicReference;

/** An object that is handed over by an opaque access may be seen as it was before its constructor. */
public class OldPublished {
    static class Box {
        int value = 1;
    }

    static final AtomicReference<Box> box = new AtomicReference<>();

    public static void main(String[] args) {
        new Thread(() -> box.setOpaque(new Box())).start();
        Box seen = box.getOpaque();
        assert seen == null || seen.value == 1;
    }
}
