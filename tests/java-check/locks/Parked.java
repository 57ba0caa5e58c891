// expect: holds
// A permit that is given before park is not lost.
import java.util.concurrent.locks.LockSupport;

public class Parked {
    static volatile boolean isDone;

    public static void main(String[] args) {
        Thread main = Thread.currentThread();
        new Thread(() -> {
            isDone = true;
            LockSupport.unpark(main);
        }).start();
        while (!isDone) LockSupport.park();
    }
}
