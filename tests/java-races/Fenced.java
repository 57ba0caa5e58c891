// expect: holds
// race: Fenced.x 10 write, 20 read
// race: Fenced.y 12 read, 18 write
// Full fences order the write before the read, although both are plain.
import java.lang.invoke.VarHandle;

public class Fenced {
    static int x, y, r1, r2;

    static void left() { x = 1;
        VarHandle.fullFence();
        r1 = y;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(Fenced::left);
        other.start();
        y = 1;
        VarHandle.fullFence();
        r2 = x;
        other.join();
        assert r1 != 0 || r2 != 0;
    }
}
