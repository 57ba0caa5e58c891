// expect: holds
// updateAndGet of an AtomicReference tries again until it succeeds.
import java.util.concurrent.atomic.AtomicReference;

public class ReferenceUpdate {
    public static void main(String[] args) throws InterruptedException {
        AtomicReference<String> text = new AtomicReference<>("");
        Thread other = new Thread(() -> text.updateAndGet(old -> old + "a"));
        other.start();
        text.updateAndGet(old -> old + "b");
        other.join();
        assert text.get().length() == 2;
    }
}
