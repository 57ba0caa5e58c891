// expect: holds
// The request is sent before the reply is waited for.
import java.util.concurrent.ArrayBlockingQueue;

public class RequestReplyMended {
    static final ArrayBlockingQueue<String> there = new ArrayBlockingQueue<>(1);
    static final ArrayBlockingQueue<String> back = new ArrayBlockingQueue<>(1);

    public static void main(String[] args) throws InterruptedException {
        new Thread(() -> {
            try {
                there.take();
                back.put("reply");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }).start();
        there.put("request");
        assert back.take().equals("reply");
    }
}
