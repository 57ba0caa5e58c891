// any: holds
public class TwoMonitorsSplit {
    static final Object lockA = new Object(), lockB = new Object();
    static int a = 5, b = 0;

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                while (true) {
                    synchronized (lockA) {
                        if (a > 0) {
                            a--;
                            synchronized (lockB) {
                                b++;
                            }
                        }
                    }
                }
            }, "mover").start();
            new Thread(() -> {
                while (true) {
                    int seen;
                    synchronized (lockB) {
                        seen = b;
                    }
                    synchronized (lockA) {
                        assert a + seen <= 5;
                    }
                }
            }, "auditor").start();
        }
    }
}
