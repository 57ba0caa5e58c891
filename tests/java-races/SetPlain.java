// expect: assertion
// race: SetPlain.x 11 write, 15 read
// setPlain orders nothing: that the flag is set says nothing of what was written before.
import java.util.concurrent.atomic.AtomicInteger;

public class SetPlain {
    static int x;

    public static void main(String[] args) {
        AtomicInteger flag = new AtomicInteger();
        new Thread(() -> { x = 1;
            flag.setPlain(1);
        }).start();
        if (flag.get() == 1) {
            assert x == 1;
        }
    }
}
