// expect: holds
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/** A queue of the library orders what goes through it, beside a flag that orders nothing. */
public class Handover {
    static class Box {
        int value;
    }

    static final AtomicBoolean flag = new AtomicBoolean();

    public static void main(String[] args) throws InterruptedException {
        ArrayBlockingQueue<Box> queue = new ArrayBlockingQueue<>(1);
        new Thread(() -> {
            Box box = new Box();
            box.value = 1;
            queue.offer(box);
            flag.setOpaque(true);
        }).start();
        boolean seen = flag.getOpaque();
        Box box = queue.poll();
        assert box == null || box.value == 1 : "what is in the box is not seen";
    }
}
