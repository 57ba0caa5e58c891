// flags: --class Throws --size 2x1 --before 0 --after 0
// violated: throws IllegalStateException
import java.util.concurrent.atomic.AtomicInteger;

/** Only one thread may find it empty; the other one is told so by an exception, which is a result. */
public class Throws {
    private final AtomicInteger users = new AtomicInteger();

    @raddle.Operation
    public String use() {
        if (users.incrementAndGet() > 1) throw new IllegalStateException();
        users.decrementAndGet();
        return "used";
    }
}
