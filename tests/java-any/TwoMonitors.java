// any: holds
public class TwoMonitors {
    static final Object lockA = new Object(), lockB = new Object();
    static int a = 5, b = 0;

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                while (true) {
                    synchronized (lockA) {
                        synchronized (lockB) {
                            if (a > 0) {
                                a--;
                                b++;
                            }
                        }
                    }
                }
            }, "mover").start();
            new Thread(() -> {
                while (true) {
                    synchronized (lockA) {
                        synchronized (lockB) {
                            assert a + b == 5;
                        }
                    }
                }
            }, "auditor").start();
        }
    }
}
