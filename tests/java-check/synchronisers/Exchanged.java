// expect: holds
// Two threads exchange what they have.
// too slow
import java.util.concurrent.Exchanger;

public class Exchanged {
    public static void main(String[] args) throws InterruptedException {
        Exchanger<String> exchanger = new Exchanger<>();
        new Thread(() -> {
            try {
                assert exchanger.exchange("a").equals("b");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }).start();
        assert exchanger.exchange("b").equals("a");
    }
}
