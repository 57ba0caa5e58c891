// expect: exception
// poll gives nothing when its time is over.
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

public class PollTimed {
    public static void main(String[] args) throws InterruptedException {
        LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();
        new Thread(() -> queue.add("a")).start();
        String item = queue.poll(1, TimeUnit.SECONDS);
        System.out.println(item.length()); // <- exception
    }
}
