// expect: holds
import java.util.concurrent.atomic.AtomicInteger;

/** What is done under a lock is known to who takes it next, beside a flag that orders nothing. */
public class OldBehindLock {
    static final AtomicInteger flag = new AtomicInteger();
    static final AtomicInteger count = new AtomicInteger();

    static synchronized void add() {
        count.setPlain(count.getPlain() + 1);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            add();
            flag.setOpaque(1);
        });
        other.start();
        int seen = flag.getOpaque() + count.getOpaque();
        add();
        synchronized (OldBehindLock.class) {
            assert count.getOpaque() >= 1 && seen >= 0;
        }
        other.join();
        assert count.getOpaque() == 2;
    }
}
