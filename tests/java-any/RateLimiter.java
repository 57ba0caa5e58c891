// any: holds
public class RateLimiter {
    static final int BURST = 4;
    static int tokens = BURST;

    static synchronized boolean tryAcquire() {
        if (tokens == 0) return false;
        tokens--;
        assert tokens >= 0;
        return true;
    }

    static synchronized void refill() {
        tokens = Math.min(BURST, tokens + 2);
        assert tokens <= BURST;
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                while (true) {
                    if (!tryAcquire()) refill();
                }
            }).start();
        }
    }
}
