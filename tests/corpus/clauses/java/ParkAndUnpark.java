// expect: fault, deadlock
// A permission is one permission, however often it is given; an interrupt is none, but lets park return.
import java.util.concurrent.locks.LockSupport;
class ParkAndUnpark {
    public static void main(String[] args) {
        Thread parked = new Thread(() -> {
            LockSupport.park();
            boolean first = Thread.interrupted();
            LockSupport.park();
            throw new IllegalStateException(first + " " + Thread.interrupted());
        });
        parked.start();
        LockSupport.unpark(parked);
        parked.interrupt();
    }
}
