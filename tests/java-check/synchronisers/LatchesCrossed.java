// expect: deadlock
// Two threads wait for each other's latch before they open their own.
import java.util.concurrent.CountDownLatch;

public class LatchesCrossed {
    public static void main(String[] args) throws InterruptedException {
        CountDownLatch mine = new CountDownLatch(1), theirs = new CountDownLatch(1);
        new Thread(() -> {
            try {
                mine.await(); // <- deadlock
                theirs.countDown();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }).start();
        theirs.await(); // <- deadlock
        mine.countDown();
    }
}
