// expect: holds
// Without races a fence makes no difference.
import java.lang.invoke.VarHandle;

public class FencedAlone {
    static volatile int x;

    public static void main(String[] args) {
        Thread other = new Thread(() -> {
            x = 1;
            VarHandle.fullFence();
        });
        other.start();
        VarHandle.releaseFence();
        assert x < 2;
    }
}
