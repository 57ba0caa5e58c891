// expect: deadlock
// A timer may be cancelled before its task has run.
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

public class TimerCancelled {
    public static void main(String[] args) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Timer timer = new Timer();
        timer.schedule(new TimerTask() {
            public void run() {
                done.countDown();
            }
        }, 10);
        timer.cancel();
        done.await(); // <- deadlock
    }
}
