// expect: deadlock
// The permit is given before the flag is set: it is used up by then.
import java.util.concurrent.locks.LockSupport;

public class ParkedForEver {
    static volatile boolean isDone;

    public static void main(String[] args) {
        Thread main = Thread.currentThread();
        new Thread(() -> {
            LockSupport.unpark(main);
            isDone = true;
        }).start();
        while (!isDone) LockSupport.park(); // <- deadlock
    }
}
