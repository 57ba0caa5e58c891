// expect: holds
import java.util.concurrent.ConcurrentHashMap;

public class ConcurrentHandOver {
    static class Message {
        int text;
    }

    public static void main(String[] args) {
        ConcurrentHashMap<String, Message> map = new ConcurrentHashMap<>();
        Thread other = new Thread(() -> {
            Message message = new Message();
            message.text = 5;
            map.put("key", message);
        });
        other.start();
        Message message = map.get("key");
        assert message == null || message.text == 5;
    }
}
