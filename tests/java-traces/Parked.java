// expect: holds
// spurious: assertion
import java.util.concurrent.locks.LockSupport;

public class Parked {
    static volatile boolean ready;

    public static void main(String[] args) {
        Thread main = Thread.currentThread();
        Thread other = new Thread(() -> {
            ready = true;
            LockSupport.unpark(main);
        });
        other.start();
        LockSupport.park();
        assert ready;
    }
}
