// expect: holds
// A timer runs its task once.
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

public class TimerOnce {
    public static void main(String[] args) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Timer timer = new Timer();
        timer.schedule(new TimerTask() {
            public void run() {
                done.countDown();
            }
        }, 10);
        done.await();
        timer.cancel();
    }
}
