// expect: holds
// By method reference, too: lazySet is a release.
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

public class LazyReference {
    public static void main(String[] args) {
        AtomicReference<String> first = new AtomicReference<>();
        AtomicReference<String> second = new AtomicReference<>();
        Consumer<String> put = first::lazySet;
        new Thread(() -> {
            put.accept("text");
            if (second.get() == null) {
                put.accept(null);
            }
        }).start();
        second.set("text");
        assert first.get() == null || second.get() != null;
    }
}
