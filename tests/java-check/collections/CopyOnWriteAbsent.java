// expect: assertion
// contains and add are two operations.
import java.util.concurrent.CopyOnWriteArrayList;

public class CopyOnWriteAbsent {
    static final CopyOnWriteArrayList<String> list = new CopyOnWriteArrayList<>();

    static void register() {
        if (!list.contains("x")) list.add("x");
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(CopyOnWriteAbsent::register);
        other.start();
        register();
        other.join();
        assert list.size() == 1; // <- assertion
    }
}
