// any: holds
import java.util.concurrent.atomic.AtomicBoolean;

public class StartOnce {
    static final AtomicBoolean started = new AtomicBoolean();
    static int starts;

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                while (true) {
                    if (started.compareAndSet(false, true)) {
                        starts++;
                        assert starts == 1;
                    }
                }
            }).start();
        }
    }
}
