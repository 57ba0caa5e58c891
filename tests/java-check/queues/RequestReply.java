// expect: deadlock
// Two threads with a queue each: both wait for a request before they send one.
import java.util.concurrent.ArrayBlockingQueue;

public class RequestReply {
    static final ArrayBlockingQueue<String> there = new ArrayBlockingQueue<>(1);
    static final ArrayBlockingQueue<String> back = new ArrayBlockingQueue<>(1);

    public static void main(String[] args) throws InterruptedException {
        new Thread(() -> {
            try {
                there.take(); // <- deadlock
                back.put("reply");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }).start();
        back.take(); // <- deadlock
        there.put("request");
    }
}
